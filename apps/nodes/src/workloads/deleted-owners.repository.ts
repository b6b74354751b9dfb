import { Injectable } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Pool } from 'pg'
import type { WorkloadKind } from './workload.js'

interface WorkloadCount {
  readonly kind: WorkloadKind
  readonly state: string
  readonly count: number
}

const PURGE_ALL = `
  UPDATE workload SET desired_state = 'removed', removed_at = coalesce(removed_at, $2), purge_at = $2, stopped_at = coalesce(stopped_at, $2),
    updated_at = $2, reconcile_at = least(reconcile_at, $2), attempts = 0
  WHERE organization_id = ANY($1) AND (removed_at IS NULL OR purge_at > $2) RETURNING id`

const COUNT_BY_STATE = `
  SELECT kind, desired_state AS state, count(*)::int AS count FROM workload
  WHERE organization_id = ANY($1) AND (removed_at IS NULL OR purge_at > $2) GROUP BY kind, desired_state ORDER BY kind DESC, desired_state`

@Injectable()
export class DeletedOwnersRepository {
  constructor(
    private readonly pool: Pool,
    private readonly broadcasts: Broadcasts,
  ) {}

  async purgeAll(organizationIds: readonly string[], now: Date): Promise<void> {
    const { rows } = await this.pool.query<{ id: string }>(PURGE_ALL, [organizationIds, now])
    for (const { id } of rows) this.broadcasts.publish(nodeChanged, { id })
  }

  /** Those in the bin are `removed`. */
  async countByState(organizationIds: readonly string[], now: Date): Promise<WorkloadCount[]> {
    return (await this.pool.query<WorkloadCount>(COUNT_BY_STATE, [organizationIds, now])).rows
  }
}
