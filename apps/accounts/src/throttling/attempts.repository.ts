import { Injectable } from '@nestjs/common'
import { groupCommit } from '@trestle/database/batching'
import { selectList } from '@trestle/database/columns'
import { transaction } from '@trestle/database/transaction'
import { Pool } from 'pg'
import type { Attempts } from './throttle.js'

const FIELDS = ['key', 'failures', 'lastFailedAt'] as const
type Row = Attempts & { readonly key: Buffer }

/** From the attempts under some keys to their replacements, or undefined to change nothing. */
type Change = (attempts: readonly Attempts[]) => readonly Attempts[] | undefined

const INSERT = 'INSERT INTO attempt (key, failures, last_failed_at) SELECT unnest($1::bytea[]), 0, $2 ON CONFLICT DO NOTHING'
const LOCK = `SELECT ${selectList(FIELDS)} FROM attempt WHERE key = ANY($1) ORDER BY key FOR UPDATE`
const UPDATE = `UPDATE attempt SET failures = changed.failures, last_failed_at = changed.last_failed_at
  FROM unnest($1::bytea[], $2::int[], $3::timestamptz[]) AS changed (key, failures, last_failed_at) WHERE attempt.key = changed.key`

interface Pending {
  readonly keys: readonly Buffer[]
  readonly now: Date
  readonly change: Change
  changed: boolean
}

/**
 * SQL on the pool: this runs before every password check, also during an attack. An attack contends for the same few rows: one
 * transaction at a time applies the changes of all that wait, and leaves the other connections to other requests.
 */
@Injectable()
export class AttemptsRepository {
  private readonly write = groupCommit<Pending>((group) => this.writeAll(group))

  constructor(private readonly pool: Pool) {}

  /** Applies one change at a time to the attempts under some keys; returns whether it changed anything. */
  async update(keys: readonly Buffer[], now: Date, change: Change): Promise<boolean> {
    const pending: Pending = { keys, now, change, changed: false }
    await this.write(pending)
    return pending.changed
  }

  private async writeAll(group: readonly Pending[]): Promise<void> {
    const now = group[0]?.now
    // Every replica locks in the same order.
    const keys = distinct(group.flatMap((pending) => pending.keys)).sort(Buffer.compare)
    await transaction(this.pool, async (client) => {
      await client.query(INSERT, [keys, now])
      const { rows } = await client.query<Row>(LOCK, [keys])
      const changed = changesOf(group, new Map(rows.map((row) => [row.key.toString('hex'), row])))
      if (changed.size === 0) return
      const [failures, times] = [[...changed.values()].map((one) => one.failures), [...changed.values()].map((one) => one.lastFailedAt)]
      await client.query(UPDATE, [[...changed.keys()].map((key) => Buffer.from(key, 'hex')), failures, times])
    })
  }
}

/** The changed attempts by their key in hex; each change of the group sees the ones before it. */
function changesOf(group: readonly Pending[], stored: ReadonlyMap<string, Attempts>): Map<string, Attempts> {
  const changed = new Map<string, Attempts>()
  for (const pending of group) {
    const keys = pending.keys.map((key) => key.toString('hex'))
    const attempts = keys.map((key) => changed.get(key) ?? stored.get(key) ?? { failures: 0, lastFailedAt: pending.now })
    const next = pending.change(attempts)
    pending.changed = next !== undefined
    for (const [at, one] of next?.entries() ?? []) changed.set(keys[at] ?? '', one)
  }
  return changed
}

function distinct(keys: readonly Buffer[]): Buffer[] {
  return [...new Map(keys.map((key) => [key.toString('hex'), key])).values()]
}
