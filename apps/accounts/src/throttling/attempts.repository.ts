import { Injectable } from '@nestjs/common'
import { transaction } from '@trestle/database/transaction'
import { Pool } from 'pg'
import type { Attempts } from './throttle.js'

interface Row {
  key: Buffer
  failures: number
  last_failed_at: Date
}

/** From the attempts under some keys to what they are to be, or undefined to leave all as they are. */
export type Change = (attempts: readonly Attempts[]) => readonly Attempts[] | undefined

const ADD = 'INSERT INTO attempt (key, failures, last_failed_at) SELECT unnest($1::bytea[]), 0, $2 ON CONFLICT DO NOTHING'
const LOCK = 'SELECT key, failures, last_failed_at FROM attempt WHERE key = ANY($1) ORDER BY key FOR UPDATE'
const CHANGE = `UPDATE attempt SET failures = changed.failures, last_failed_at = changed.last_failed_at
  FROM unnest($1::bytea[], $2::int[], $3::timestamptz[]) AS changed (key, failures, last_failed_at) WHERE attempt.key = changed.key`

/** Plain SQL on the pool: it stands before every password that is checked, also those of an attack. */
@Injectable()
export class AttemptsRepository {
  constructor(private readonly pool: Pool) {}

  /** Changes the attempts under some keys, one change at a time whoever else wants to; answers whether it did. */
  async update(keys: readonly Buffer[], now: Date, change: Change): Promise<boolean> {
    // Everybody locks in one order.
    const sorted = keys.toSorted(Buffer.compare)
    return transaction(this.pool, async (client) => {
      await client.query(ADD, [sorted, now])
      const { rows } = await client.query<Row>(LOCK, [sorted])
      const changed = change(
        keys.map((key) =>
          toAttempts(
            rows.find((row) => row.key.equals(key)),
            now,
          ),
        ),
      )
      if (!changed) return false
      await client.query(CHANGE, [keys, changed.map(({ failures }) => failures), changed.map(({ lastFailedAt }) => lastFailedAt)])
      return true
    })
  }
}

function toAttempts(row: Row | undefined, now: Date): Attempts {
  return { failures: row?.failures ?? 0, lastFailedAt: row?.last_failed_at ?? now }
}
