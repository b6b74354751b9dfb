import { Injectable } from '@nestjs/common'
import { ROW_LOCK } from '@trestle/database/row-lock'
import { transaction } from '@trestle/database/transaction'
import { Pool, type PoolClient } from 'pg'
import type { Partition } from './partition.js'

/** The tables that hold the events, one a month. DDL takes no parameters: names and times come from our own code only. */
@Injectable()
export class PartitionsRepository {
  constructor(private readonly pool: Pool) {}

  async list(): Promise<string[]> {
    const { rows } = await this.pool.query<{ name: string }>(
      "SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'event'::regclass",
    )
    return rows.map(({ name }) => name)
  }

  create({ name, from, to }: Partition): Promise<void> {
    return this.exclusively(async (client) => {
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF event FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
      )
    })
  }

  delete({ name }: Partition): Promise<void> {
    return this.exclusively(async (client) => {
      await client.query(`DROP TABLE IF EXISTS ${name}`)
    })
  }

  /** Replicas do the same work at the same time, and IF NOT EXISTS alone does not prevent a collision. */
  private exclusively(work: (client: PoolClient) => Promise<void>): Promise<void> {
    return transaction(this.pool, async (client) => {
      await client.query(ROW_LOCK, ['event partitions'])
      await work(client)
    })
  }
}
