import { Injectable, Optional } from '@nestjs/common'
import type { DeadLetter as DescribedDeadLetter } from '@trestle/contracts/delivery'
import { Problem } from '@trestle/problem/problem'
import { Pool } from 'pg'

/** A domain event that a consumer failed to process, as it was delivered. */
export interface FailedMessage {
  readonly consumer: string
  readonly messageId: string
  readonly subject: string
  readonly body: Uint8Array
  readonly attempts: number
}

interface Row extends Omit<DescribedDeadLetter, 'content' | 'givenUpAt'> {
  beginning: Buffer
  given_up_at: Date
}

const SHOWN_BYTES = 1_000
const ERROR_CHARACTERS = 1_000

const KEEP = `INSERT INTO dead_letter (consumer, message_id, subject, body, error, attempts) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (consumer, message_id) DO UPDATE SET
    body = excluded.body, error = excluded.error, attempts = excluded.attempts, given_up_at = now()`

/** The domain events that consumers gave up, kept until an administrator retries or discards them. */
@Injectable()
export class DeadLetters {
  constructor(@Optional() private readonly pool?: Pool) {}

  /** A service without a database has only the log line. */
  async keep({ consumer, messageId, subject, body, attempts }: FailedMessage, problem: Problem): Promise<void> {
    await this.pool?.query(KEEP, [consumer, messageId, subject, Buffer.from(body), reasonOf(problem), attempts])
  }

  async list(limit: number): Promise<DescribedDeadLetter[]> {
    const { rows } = await this.database.query<Row>(
      `SELECT id, subject AS fact, consumer, substring(body FOR ${SHOWN_BYTES}) AS beginning, error, attempts, given_up_at
       FROM dead_letter ORDER BY given_up_at DESC LIMIT $1`,
      [limit],
    )
    return rows.map(({ beginning, given_up_at, ...row }) => ({
      ...row,
      content: beginning.toString(),
      givenUpAt: given_up_at.toISOString(),
    }))
  }

  async find(id: string): Promise<FailedMessage> {
    const { rows } = await this.database.query<FailedMessage>(
      'SELECT consumer, message_id AS "messageId", subject, body, attempts FROM dead_letter WHERE id = $1',
      [id],
    )
    if (!rows[0]) throw unknownDeadLetter()
    return rows[0]
  }

  async remove(id: string): Promise<void> {
    const { rowCount } = await this.database.query('DELETE FROM dead_letter WHERE id = $1', [id])
    if (rowCount === 0) throw unknownDeadLetter()
  }

  private get database(): Pool {
    if (!this.pool) throw new Error('A service without a database keeps no dead letters.')
    return this.pool
  }
}

/** For administrators, so with the cause, which callers never see. Postgres stores no NUL in a text. */
function reasonOf({ code, detail, errors = [], cause }: Problem): string {
  const reasons = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message))
  const text = [cause instanceof Error ? cause.message : detail, ...reasons].join(' ')
  return `${code}: ${text}`.replaceAll('\0', '\ufffd').slice(0, ERROR_CHARACTERS)
}

function unknownDeadLetter(): Problem {
  return new Problem('unknown', 'UnknownDeadLetter', 'There is no such dead letter: it was retried or discarded, or deleted after 30 days.')
}
