import { arrayParameter, BinaryFields } from '@trestle/database/binary-fields'
import type { Pool } from 'pg'
import type { BenchStore, StoredEntry } from './answer-store.ts'

/** How a table of answers can be made; each begins empty. */
export const POSTGRES_TABLES: Readonly<Record<string, readonly string[]>> = {
  plain: ['CREATE TABLE plain (key bytea PRIMARY KEY, value text NOT NULL)'],
  'not compressed': [
    'CREATE TABLE plain_external (key bytea PRIMARY KEY, value text NOT NULL)',
    'ALTER TABLE plain_external ALTER value SET STORAGE EXTERNAL',
  ],
  'hash-partitioned': [
    'CREATE TABLE hashed (key bytea PRIMARY KEY, value text NOT NULL) PARTITION BY HASH (key)',
    ...[0, 1, 2, 3].map((part) => `CREATE TABLE hashed_${part} PARTITION OF hashed FOR VALUES WITH (MODULUS 4, REMAINDER ${part})`),
  ],
  unlogged: ['CREATE UNLOGGED TABLE unlogged (key bytea PRIMARY KEY, value text NOT NULL)'],
  'unlogged ring': [
    'CREATE TABLE ring (key bytea, value text NOT NULL, segment smallint NOT NULL, PRIMARY KEY (key, segment)) PARTITION BY LIST (segment)',
    ...[0, 1, 2, 3].map((part) => `CREATE UNLOGGED TABLE ring_${part} PARTITION OF ring FOR VALUES IN (${part})`),
  ],
}

const MAX_QUERIES = 2

/** Reads that wait for one another go into one query, as those of the gateway do. */
export class PostgresStore implements BenchStore {
  readonly name: string
  private readonly pool: Pool
  private readonly table: string
  private readonly serverCpu: () => number
  private waiting = new Map<string, { key: Buffer; asked: PromiseWithResolvers<Buffer | undefined> }>()
  private running = 0
  private isDue = false

  constructor(pool: Pool, kind: string, { table, serverCpu }: { table: string; serverCpu: () => number }) {
    this.name = `Postgres, ${kind}`
    this.pool = pool
    this.table = table
    this.serverCpu = serverCpu
  }

  read(key: Buffer): Promise<Buffer | undefined> {
    const text = key.toString('hex')
    const asked = this.waiting.get(text)?.asked ?? Promise.withResolvers<Buffer | undefined>()
    this.waiting.set(text, { key, asked })
    this.schedule()
    return asked.promise
  }

  async write(entries: readonly StoredEntry[]): Promise<void> {
    const [keys, values] = [new BinaryFields(), entries.map(({ value }) => value.toString())]
    for (const { key } of entries) keys.binary(key)
    const segment = this.table === 'ring'
    const text = segment
      ? 'INSERT INTO ring SELECT *, 1 FROM unnest($1::bytea[], $2::text[]) ON CONFLICT DO NOTHING'
      : `INSERT INTO ${this.table} SELECT * FROM unnest($1::bytea[], $2::text[]) ON CONFLICT DO NOTHING`
    await this.pool.query({ name: `write_${this.table}`, text, values: [arrayParameter('bytea', keys), values] })
  }

  cpuSeconds(): number {
    return this.serverCpu()
  }

  async stop(): Promise<void> {
    await this.pool.query(`DROP TABLE ${this.table}`)
  }

  private schedule(): void {
    if (this.isDue || this.running >= MAX_QUERIES || this.waiting.size === 0) return
    this.isDue = true
    setImmediate(() => {
      this.isDue = false
      void this.readWaiting()
    })
  }

  private async readWaiting(): Promise<void> {
    const { waiting } = this
    this.waiting = new Map()
    this.running++
    const keys = new BinaryFields()
    for (const { key } of waiting.values()) keys.binary(key)
    const text = `SELECT encode(key, 'hex') AS key, value FROM ${this.table} WHERE key = ANY($1::bytea[])`
    const query = { name: `read_${this.table}`, text, values: [arrayParameter('bytea', keys)] }
    const { rows } = await this.pool.query<{ key: string; value: string }>(query)
    this.running--
    for (const { key, value } of rows) waiting.get(key)?.asked.resolve(Buffer.from(value))
    for (const { asked } of waiting.values()) asked.resolve(undefined)
    this.schedule()
  }
}
