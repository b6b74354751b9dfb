import { Injectable } from '@nestjs/common'
import type { Role } from '@trestle/contracts/accounts/organizations'
import type { Transaction } from '../database.module.js'
import type { Invitation as InvitationRow } from '../generated/prisma/client.js'
import type { Invitation } from './invitation.js'

@Injectable()
export class InvitationsRepository {
  async add(tx: Transaction, invitation: Invitation, tokenHash: Uint8Array<ArrayBuffer>): Promise<void> {
    await tx.invitation.create({ data: { ...invitation, roles: [...invitation.roles], tokenHash } })
  }

  /** The invitation of a token; its organization stays as it is until the transaction ends. */
  async lock(tx: Transaction, tokenHash: Uint8Array<ArrayBuffer>): Promise<Invitation | undefined> {
    await tx.$executeRaw`
      SELECT 1 FROM organization o JOIN invitation i ON i.organization_id = o.id WHERE i.token_hash = ${tokenHash} FOR UPDATE OF o`
    const row = await tx.invitation.findUnique({ where: { tokenHash } })
    return row ? toInvitation(row) : undefined
  }

  /** Those that can still be accepted, the newest first. */
  async listOpen(tx: Transaction, organizationId: string, now: Date): Promise<Invitation[]> {
    const where = { organizationId, acceptedAt: null, expiresAt: { gt: now } }
    return (await tx.invitation.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })).map(toInvitation)
  }

  /** Those that were sent since and not accepted, withdrawn ones too. */
  countUnaccepted(tx: Transaction, organizationId: string, since: Date): Promise<number> {
    return tx.invitation.count({ where: { organizationId, acceptedAt: null, createdAt: { gt: since } } })
  }

  /** Ends open invitations of an organization: that of an id, or those to an address; how many. */
  async withdraw(tx: Transaction, which: { organizationId: string; id?: string; emailCanonical?: string }, now: Date): Promise<number> {
    const where = { ...which, acceptedAt: null, expiresAt: { gt: now } }
    return (await tx.invitation.updateMany({ where, data: { expiresAt: now } })).count
  }

  async accept(tx: Transaction, id: string, acceptedAt: Date): Promise<void> {
    await tx.invitation.update({ where: { id }, data: { acceptedAt } })
  }

  /** What an invitation must have been sent to. */
  async canonicalEmailOf(tx: Transaction, userId: string): Promise<string> {
    return (await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { emailCanonical: true } })).emailCanonical
  }
}

function toInvitation({ tokenHash: _, acceptedAt, roles, ...row }: InvitationRow): Invitation {
  return { ...row, roles: roles as Role[], acceptedAt: acceptedAt ?? undefined }
}
