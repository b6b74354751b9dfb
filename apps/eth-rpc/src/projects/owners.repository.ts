import { Injectable } from '@nestjs/common'
import { type Dissolution, saveDissolution } from '@trestle/auth/dissolved-organizations'
import { EthRpcDatabase, type EthRpcTransaction } from '../database.module.js'

/** What accounts reported of an owner, and when it happened. */
export interface ReportedOwner {
  readonly userId: string
  readonly disabled: boolean
  readonly changedAt: Date
}

@Injectable()
export class OwnersRepository {
  constructor(private readonly database: EthRpcDatabase) {}

  /** Returns false where as new a report is known already. */
  async save(tx: EthRpcTransaction, { userId, disabled, changedAt }: ReportedOwner): Promise<boolean> {
    const saved = await tx.$executeRaw`
      INSERT INTO owner_status (user_id, disabled, changed_at) VALUES (${userId}, ${disabled}, ${changedAt})
      ON CONFLICT (user_id) DO UPDATE SET disabled = EXCLUDED.disabled, changed_at = EXCLUDED.changed_at
       WHERE owner_status.changed_at < EXCLUDED.changed_at`
    return saved === 1
  }

  /** Returns what the heir got; again, it changes nothing. */
  async inherit(tx: EthRpcTransaction, dissolution: Dissolution, now: Date): Promise<{ serial: number }[]> {
    await saveDissolution(tx, dissolution)
    return tx.$queryRaw`
      UPDATE project SET organization_id = ${dissolution.heirId}, version = version + 1, updated_at = ${now}
       WHERE organization_id = ${dissolution.organizationId} RETURNING serial`
  }

  removeAll(tx: EthRpcTransaction, organizationId: string): Promise<{ serial: number }[]> {
    return tx.$queryRaw`DELETE FROM project WHERE organization_id = ${organizationId} RETURNING serial`
  }

  countProjects(organizationIds: readonly string[]): Promise<number> {
    return this.database.project.count({ where: { organizationId: { in: [...organizationIds] } } })
  }

  projectsOf(tx: EthRpcTransaction, ownerId: string): Promise<{ serial: number }[]> {
    return tx.project.findMany({ where: { ownerId }, select: { serial: true } })
  }
}
