import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

export interface OwnedWorkload {
  readonly id: string
  readonly organizationId: string
  readonly kind: 'node' | 'cluster'
}

const OWNS = `SELECT FROM workload WHERE id = $1 AND organization_id = $2 AND kind = $3 AND desired_state <> 'removed'`

@Injectable()
export class OwnedWorkloadsRepository {
  constructor(private readonly pool: Pool) {}

  async has({ id, organizationId, kind }: OwnedWorkload): Promise<boolean> {
    const { rowCount } = await this.pool.query(OWNS, [id, organizationId, kind])
    return rowCount === 1
  }
}
