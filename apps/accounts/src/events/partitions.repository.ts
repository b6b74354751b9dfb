import { Injectable } from '@nestjs/common'
import { transaction } from '@trestle/database/transaction'
import { Pool, type PoolClient } from 'pg'
import type { Partition } from './partition.js'

/** The tables that events are kept in, a month each. Names and times come from us alone: DDL takes no parameters. */
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
    return this.alone(async (client) => {
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF event FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
      )
    })
  }

  drop({ name }: Partition): Promise<void> {
    return this.alone(async (client) => {
      await client.query(`DROP TABLE IF EXISTS ${name}`)
    })
  }

  /** Replicas do the same work at the same time, and IF NOT EXISTS alone does not keep two of them apart. */
  private alone(work: (client: PoolClient) => Promise<void>): Promise<void> {
    return transaction(this.pool, async (client) => {
      await client.query("SELECT pg_advisory_xact_lock(hashtext('event partitions'), hashtext(current_schema()))")
      await work(client)
    })
  }
}
