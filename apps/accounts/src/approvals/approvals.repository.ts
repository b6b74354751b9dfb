import { Injectable } from '@nestjs/common'
import { NewApproval } from '@trestle/contracts/accounts/approvals'
import { APPROVABLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { z } from 'zod'
import type { AccountsTransaction } from '../database.module.js'
import type { Approval as ApprovalRow } from '../generated/prisma/client.js'
import type { Position } from '../paging/cursor.js'
import type { ApprovalRecord } from './approval.js'

const Stored = z.object({
  permission: z.enum(APPROVABLE_PERMISSIONS),
  method: NewApproval.shape.method,
  decision: z.enum(['approved', 'refused']).nullable(),
})

const MAX_OPEN = 1000

interface Listing {
  readonly limit: number
  readonly after?: Position
  /** Only those that were asked for since, and are not decided. */
  readonly pendingSince?: Date
}

@Injectable()
export class ApprovalsRepository {
  /** Newest first. */
  async list(tx: AccountsTransaction, organizationId: string, { limit, after, pendingSince }: Listing): Promise<ApprovalRecord[]> {
    const rows = await tx.approval.findMany({
      where: {
        organizationId,
        ...(pendingSince && { decision: null, createdAt: { gt: pendingSince } }),
        ...(after && { OR: [{ createdAt: { lt: after.createdAt } }, { createdAt: after.createdAt, id: { lt: after.id } }] }),
      },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
    })
    return rows.map(fromRow)
  }

  /** Those that were asked for since, or approved and not collected: bounded, as so many at most are asked for and wait. */
  async listOpen(tx: AccountsTransaction, organizationId: string, since: Date): Promise<ApprovalRecord[]> {
    const where = {
      organizationId,
      OR: [
        { decision: null, createdAt: { gt: since } },
        { decision: 'approved', collectedAt: null, decidedAt: { gt: since } },
      ],
    }
    return (await tx.approval.findMany({ where, orderBy: [{ createdAt: 'desc' }], take: MAX_OPEN })).map(fromRow)
  }

  async find(tx: AccountsTransaction, organizationId: string, id: string): Promise<ApprovalRecord | undefined> {
    const row = await tx.approval.findFirst({ where: { id, organizationId } })
    return row ? fromRow(row) : undefined
  }

  async insert(tx: AccountsTransaction, { decided: _, ...record }: ApprovalRecord): Promise<void> {
    await tx.approval.create({ data: record })
  }

  async decide(tx: AccountsTransaction, id: string, decided: NonNullable<ApprovalRecord['decided']>): Promise<void> {
    await tx.approval.update({ where: { id }, data: decided })
  }

  async collect(tx: AccountsTransaction, id: string, collectedAt: Date): Promise<void> {
    await tx.approval.updateMany({ where: { id, collectedAt: null }, data: { collectedAt } })
  }

  /** Once; false of one that was used, or that a restored backup does not have. */
  async use(tx: AccountsTransaction, id: string, usedAt: Date): Promise<boolean> {
    return (await tx.approval.updateMany({ where: { id, usedAt: null, decision: 'approved' }, data: { usedAt } })).count === 1
  }

  async epochOf(tx: AccountsTransaction, userId: string): Promise<number> {
    return (await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { epoch: true } })).epoch
  }
}

function fromRow({ decision, decidedBy, decidedAt, deciderEpoch, ...row }: ApprovalRow): ApprovalRecord {
  const stored = Stored.parse({ ...row, decision })
  const { permission, method } = stored
  if (!stored.decision || !decidedBy || !decidedAt || deciderEpoch === null) return { ...row, permission, method }
  return { ...row, permission, method, decided: { decision: stored.decision, decidedBy, decidedAt, deciderEpoch } }
}
