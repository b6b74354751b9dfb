import { Injectable } from '@nestjs/common'
import { groupCommit } from '@trestle/database/batching'
import { selectList } from '@trestle/database/columns'
import { transaction } from '@trestle/database/transaction'
import { Pool, type PoolClient } from 'pg'
import type { Attempts } from './throttle.js'

const FIELDS = ['key', 'failures', 'lastFailedAt'] as const
type Row = Attempts & { readonly key: Buffer }

/** From the attempts under some keys to their replacements, or undefined to change nothing. */
type Change = (attempts: readonly Attempts[]) => readonly Attempts[] | undefined

const INSERT = 'INSERT INTO attempt (key, failures, last_failed_at) SELECT unnest($1::bytea[]), 0, $2 ON CONFLICT DO NOTHING'
const LOCK = `SELECT ${selectList(FIELDS)} FROM attempt WHERE key = ANY($1) ORDER BY key FOR UPDATE`
const UPDATE = `UPDATE attempt SET failures = changed.failures, last_failed_at = changed.last_failed_at
  FROM unnest($1::bytea[], $2::int[], $3::timestamptz[]) AS changed (key, failures, last_failed_at) WHERE attempt.key = changed.key`
// What was refused, and what was right, leaves no row: there is no end of names to guess.
const REMOVE = 'DELETE FROM attempt WHERE key = ANY($1)'

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
      const stored = await lockRows(client, keys, now)
      const changed = changesOf(group, stored)
      const latest = (key: Buffer) => changed.get(key.toString('hex')) ?? stored.get(key.toString('hex'))
      const empty = keys.filter((key) => !latest(key)?.failures)
      if (empty.length > 0) await client.query(REMOVE, [empty])
      const kept = [...changed].filter(([, { failures }]) => failures > 0)
      if (kept.length === 0) return
      const [failures, times] = [kept.map(([, one]) => one.failures), kept.map(([, one]) => one.lastFailedAt)]
      await client.query(UPDATE, [kept.map(([key]) => Buffer.from(key, 'hex')), failures, times])
    })
  }
}

/** The rows under all keys, by their key in hex; inserts those that are missing, again if another replica removed one meanwhile. */
async function lockRows(client: PoolClient, keys: readonly Buffer[], now: Date | undefined): Promise<ReadonlyMap<string, Row>> {
  for (;;) {
    await client.query(INSERT, [keys, now])
    const { rows } = await client.query<Row>(LOCK, [keys])
    if (rows.length === keys.length) return new Map(rows.map((row) => [row.key.toString('hex'), row]))
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
