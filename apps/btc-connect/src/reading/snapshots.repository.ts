import { Injectable } from '@nestjs/common'
import { Pool, type PoolClient, type QueryResult } from 'pg'

export interface Tip {
  readonly height: number
  readonly hash: Buffer
}

/** The state of the index. Without a tip there is nothing to read yet. */
interface SnapshotState {
  readonly tip: Tip | undefined
  /** Keys the script keys of this index. */
  readonly secret: Buffer
  readonly nodeHeight: number
}

interface Row {
  secret: Buffer
  node_height: number
  height: number | null
  hash: Buffer | null
}

// One message, one round trip; the SELECT takes the snapshot.
// Every read is a few index lookups, in the order of the tables in the statement, whatever the statistics say: an address with half
// of all transactions, or a table without statistics, must not cause a scan. Planning each time would cost more than the read.
// Before the phase `tip` the tables are neither complete nor indexed.
const BEGIN = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL plan_cache_mode = force_generic_plan;
  SET LOCAL enable_seqscan = off;
  SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off;
  SET LOCAL join_collapse_limit = 1;
  SET LOCAL max_parallel_workers_per_gather = 0;
  SET LOCAL jit = off;
  SELECT s.secret, s.node_height, t.height, t.hash
    FROM index_state s LEFT JOIN LATERAL (SELECT height, hash FROM block WHERE s.phase = 'tip' ORDER BY height DESC LIMIT 1) t ON true`

const COUNT_LOADED = 'SELECT coalesce(sum(last_height - first_height + 1), 0)::int AS count FROM load_range'

@Injectable()
export class SnapshotsRepository {
  constructor(private readonly pool: Pool) {}

  /** Runs all reads in one snapshot of the index. */
  async read<T>(work: (client: PoolClient, state: SnapshotState | undefined) => Promise<T>): Promise<T> {
    const client = await this.pool.connect()
    try {
      const results = (await client.query(BEGIN)) as unknown as QueryResult<Row>[]
      const row = results.at(-1)?.rows[0]
      return await work(client, row && fromRow(row))
    } finally {
      // Read-only: nobody has to wait for the commit.
      client.query('COMMIT').then(
        () => client.release(),
        (error) => client.release(error),
      )
    }
  }

  /** How many blocks the first load has read. */
  async countLoaded(client: PoolClient): Promise<number> {
    const { rows } = await client.query<{ count: number }>(COUNT_LOADED)
    return rows[0]?.count ?? 0
  }
}

function fromRow({ secret, node_height, height, hash }: Row): SnapshotState {
  const tip = height === null || hash === null ? undefined : { height, hash }
  return { tip, secret, nodeHeight: node_height }
}
