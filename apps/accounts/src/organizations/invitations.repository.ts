import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import type { Invitation as InvitationRow } from '../generated/prisma/client.js'
import type { InvitationRecord } from './invitation.js'

@Injectable()
export class InvitationsRepository {
  async insert(tx: AccountsTransaction, invitation: InvitationRecord, tokenHash: Uint8Array<ArrayBuffer>): Promise<void> {
    await tx.invitation.create({ data: { ...invitation, roles: [...invitation.roles], tokenHash } })
  }

  /** Finds the invitation of a token and locks its organization until the transaction ends. */
  async findAndLock(tx: AccountsTransaction, tokenHash: Uint8Array<ArrayBuffer>): Promise<InvitationRecord | undefined> {
    await tx.$executeRaw`
      SELECT 1 FROM organization o JOIN invitation i ON i.organization_id = o.id WHERE i.token_hash = ${tokenHash} FOR UPDATE OF o`
    const row = await tx.invitation.findUnique({ where: { tokenHash } })
    return row ? fromRow(row) : undefined
  }

  /** Invitations that can still be accepted, newest first. */
  async listOpen(tx: AccountsTransaction, organizationId: string, now: Date): Promise<InvitationRecord[]> {
    const where = { organizationId, acceptedAt: null, expiresAt: { gt: now } }
    return (await tx.invitation.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })).map(fromRow)
  }

  /** Invitations that were sent since then and not accepted, including withdrawn ones. */
  countUnaccepted(tx: AccountsTransaction, organizationId: string, since: Date): Promise<number> {
    return tx.invitation.count({ where: { organizationId, acceptedAt: null, createdAt: { gt: since } } })
  }

  /** Ends open invitations of an organization, by id or by address; returns how many. */
  async withdraw(
    tx: AccountsTransaction,
    which: { organizationId: string; id?: string; emailCanonical?: string },
    now: Date,
  ): Promise<number> {
    const where = { ...which, acceptedAt: null, expiresAt: { gt: now } }
    return (await tx.invitation.updateMany({ where, data: { expiresAt: now } })).count
  }

  async accept(tx: AccountsTransaction, id: string, acceptedAt: Date): Promise<void> {
    await tx.invitation.update({ where: { id }, data: { acceptedAt } })
  }

  /** The address that an invitation of this user was sent to. */
  async findCanonicalEmail(tx: AccountsTransaction, userId: string): Promise<string> {
    return (await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { emailCanonical: true } })).emailCanonical
  }
}

function fromRow({ tokenHash: _, acceptedAt, ...row }: InvitationRow): InvitationRecord {
  return { ...row, acceptedAt: acceptedAt ?? undefined }
}
