import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'
import type { IndexProgress } from './sync-status.js'

// One statement, so one state of the chain. Before the phase `tip` the blocks are stored but not served.
const STATE = `
  SELECT phase, condition, condition_detail AS "conditionDetail", start_height AS "startHeight", node_height AS "nodeHeight",
    blocks_per_second AS "blocksPerSecond", height, coalesce(height - start_height + 1, loaded, 0)::int AS blocks
  FROM index_state,
    LATERAL (SELECT max(height) AS height FROM block WHERE phase = 'tip') AS served,
    LATERAL (SELECT sum(last_height - first_height + 1) AS loaded FROM load_range WHERE phase <> 'tip') AS load`

const TIP = 'SELECT hash FROM block ORDER BY height DESC LIMIT 1'

@Injectable()
export class StatusRepository {
  constructor(private readonly pool: Pool) {}

  /** Undefined until a writer has created the index. */
  async findState(): Promise<IndexProgress | undefined> {
    const { rows } = await this.pool.query<IndexProgress>({ name: 'index_state', text: STATE })
    return rows[0]
  }

  async findTipHash(): Promise<Buffer | undefined> {
    const { rows } = await this.pool.query<{ hash: Buffer }>({ name: 'tip_hash', text: TIP })
    return rows[0]?.hash
  }
}
