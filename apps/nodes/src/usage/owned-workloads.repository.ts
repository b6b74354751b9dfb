import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

export interface OwnedWorkload {
  readonly id: string
  readonly userId: string
  readonly kind: 'node' | 'cluster'
}

const OWNS = `SELECT FROM workload WHERE id = $1 AND user_id = $2 AND kind = $3 AND desired_state <> 'removed'`

@Injectable()
export class OwnedWorkloadsRepository {
  constructor(private readonly pool: Pool) {}

  async has({ id, userId, kind }: OwnedWorkload): Promise<boolean> {
    const { rowCount } = await this.pool.query(OWNS, [id, userId, kind])
    return rowCount === 1
  }
}
