import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

const BATCH = 1000

// Of each table the rows nobody will ask for again. The lock keeps replicas out of each other's way, the limit keeps it short.
const EXPIRED: readonly string[] = [
  remove('email_token', 'expires_at < $1'),
  remove('session', "expires_at < $1::timestamptz - interval '7 days'"),
  remove('attempt', "last_failed_at < $1::timestamptz - interval '24 hours'"),
  remove('known_network', "last_seen_at < $1::timestamptz - interval '30 days'"),
  remove('refresh_token', 'expires_at < $1'),
  // Nothing it could revoke is alive: the longest access token lives 12 hours.
  remove('revocation', "recorded_at < $1::timestamptz - interval '24 hours'"),
  remove('invitation', "expires_at < $1 AND created_at < $1::timestamptz - interval '72 hours'"),
  remove('mail', "created_at < $1::timestamptz - interval '90 days'"),
  // A text may hold a token; a day later nobody can use it, and nobody can have it sent again.
  `UPDATE mail SET text_sealed = NULL WHERE ctid IN (SELECT ctid FROM mail WHERE state = 'failed' AND text_sealed IS NOT NULL
     AND created_at < $1::timestamptz - interval '24 hours' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
]

/** Knows what of every feature's table is past its time: deleting that is no feature's business. */
@Injectable()
export class CleanupRepository {
  constructor(private readonly pool: Pool) {}

  async removeExpired(now: Date): Promise<void> {
    for (const statement of EXPIRED) {
      while ((await this.pool.query(statement, [now])).rowCount === BATCH);
    }
  }
}

function remove(table: string, condition: string): string {
  return `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`
}
