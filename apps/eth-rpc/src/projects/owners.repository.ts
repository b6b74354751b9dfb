import { Injectable } from '@nestjs/common'
import type { EthRpcTransaction } from '../database.module.js'

/** What accounts reported of an owner, and when it happened. */
export interface ReportedOwner {
  readonly userId: string
  readonly disabled: boolean
  readonly changedAt: Date
}

@Injectable()
export class OwnersRepository {
  /** Returns false where as new a report is known already. */
  async save(tx: EthRpcTransaction, { userId, disabled, changedAt }: ReportedOwner): Promise<boolean> {
    const saved = await tx.$executeRaw`
      INSERT INTO owner_status (user_id, disabled, changed_at) VALUES (${userId}, ${disabled}, ${changedAt})
      ON CONFLICT (user_id) DO UPDATE SET disabled = EXCLUDED.disabled, changed_at = EXCLUDED.changed_at
       WHERE owner_status.changed_at < EXCLUDED.changed_at`
    return saved === 1
  }

  transferAll(tx: EthRpcTransaction, { from, to }: { from: string; to: string }, now: Date): Promise<{ serial: number }[]> {
    return tx.$queryRaw`
      UPDATE project SET organization_id = ${to}, version = version + 1, updated_at = ${now} WHERE organization_id = ${from} RETURNING serial`
  }

  projectsOf(tx: EthRpcTransaction, ownerId: string): Promise<{ serial: number }[]> {
    return tx.project.findMany({ where: { ownerId }, select: { serial: true } })
  }
}
