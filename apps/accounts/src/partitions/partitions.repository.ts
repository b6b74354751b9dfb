import { Injectable } from '@nestjs/common'
import { ROW_LOCK } from '@trestle/database/row-lock'
import { transaction } from '@trestle/database/transaction'
import { Pool, type PoolClient } from 'pg'
import type { Partition, PartitionedTable } from './partition.js'

/** The tables that hold the rows of a partitioned one, one a month. DDL takes no parameters: names and times come from our own code only. */
@Injectable()
export class PartitionsRepository {
  constructor(private readonly pool: Pool) {}

  async list(table: PartitionedTable): Promise<string[]> {
    const { rows } = await this.pool.query<{ name: string }>(
      'SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass',
      [table.name],
    )
    return rows.map(({ name }) => name)
  }

  create(table: PartitionedTable, { name, from, to }: Partition): Promise<void> {
    return this.exclusively(table, async (client) => {
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table.name} FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
      )
    })
  }

  delete(table: PartitionedTable, { name }: Partition): Promise<void> {
    return this.exclusively(table, async (client) => {
      await client.query(`DROP TABLE IF EXISTS ${name}`)
    })
  }

  /** Replicas do the same work at the same time, and IF NOT EXISTS alone does not prevent a collision. */
  private exclusively(table: PartitionedTable, work: (client: PoolClient) => Promise<void>): Promise<void> {
    return transaction(this.pool, async (client) => {
      await client.query(ROW_LOCK, [`${table.name} partitions`])
      await work(client)
    })
  }
}
