import { Injectable } from '@nestjs/common'
import { Pool } from 'pg'

const BATCH = 1000

// SKIP LOCKED keeps replicas from waiting for each other, the limit keeps each transaction short.
const EXPIRED: readonly string[] = [
  remove('email_token', 'expires_at < $1'),
  remove('email_change', 'expires_at < $1'),
  // Nobody has verified the address, and its last token expired days ago. Who was disabled stays so.
  remove('"user"', "verified_at IS NULL AND disabled_at IS NULL AND updated_at < $1::timestamptz - interval '7 days'"),
  remove('device_login', 'expires_at < $1'),
  remove('sign_in_attempt', 'expires_at < $1'),
  remove('session', "expires_at < $1::timestamptz - interval '7 days'"),
  remove('factor_challenge', 'expires_at < $1'),
  // An enrolment that was not finished.
  remove('second_factor', "confirmed_at IS NULL AND created_at < $1::timestamptz - interval '24 hours'"),
  remove('attempt', "last_failed_at < $1::timestamptz - interval '24 hours'"),
  remove('known_network', "last_seen_at < $1::timestamptz - interval '30 days'"),
  remove('refresh_token', 'expires_at < $1'),
  // It could revoke nothing any more: the longest access token lives 12 hours.
  remove('revocation', "recorded_at < $1::timestamptz - interval '24 hours'"),
  // No process, and no event that is published again, is older.
  remove('member', "roles = '{}' AND changed_at < $1::timestamptz - interval '1 year'"),
  remove('invitation', "expires_at < $1 AND created_at < $1::timestamptz - interval '72 hours'"),
  remove('approval', "created_at < $1::timestamptz - interval '30 days'"),
  remove('mail', "created_at < $1::timestamptz - interval '90 days'"),
  // A text may hold a token; after a day the token has expired, and the mail cannot be sent again.
  `UPDATE mail SET text_sealed = NULL WHERE ctid IN (SELECT ctid FROM mail WHERE state = 'failed' AND text_sealed IS NOT NULL
     AND created_at < $1::timestamptz - interval '24 hours' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
]

/** Knows when the rows of every feature expire, so that no feature has to delete them. */
@Injectable()
export class CleanupRepository {
  constructor(private readonly pool: Pool) {}

  async deleteExpired(now: Date): Promise<void> {
    for (const statement of EXPIRED) {
      while ((await this.pool.query(statement, [now])).rowCount === BATCH);
    }
  }
}

function remove(table: string, condition: string): string {
  return `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`
}
