import { Injectable } from '@nestjs/common'
import { batchLookups, groupCommit } from '@trestle/database/batching'
import { insertRows } from '@trestle/database/columns'
import { Pool } from 'pg'
import { AccountsDatabase } from '../database.module.js'
import type { RefreshToken as RefreshTokenRow } from '../generated/prisma/client.js'

type NewRefreshToken = Omit<RefreshTokenRow, 'revokedAt'>

const insertAll = insertRows<NewRefreshToken>('refresh_token', {
  hash: 'bytea',
  clientId: 'text',
  issuedAt: 'timestamptz',
  expiresAt: 'timestamptz',
})

const FIND = {
  name: 'find_valid_refresh_tokens',
  text: 'SELECT hash FROM refresh_token WHERE hash = ANY($1) AND revoked_at IS NULL',
}

/** A program needs one; more are of programs that forget theirs. */
const MAX_OF_CLIENT = 100

const END_OLDEST = {
  name: 'end_oldest_refresh_tokens',
  text: `DELETE FROM refresh_token WHERE hash IN (
    SELECT surplus.hash FROM unnest($1::text[]) AS client (id) CROSS JOIN LATERAL (
      SELECT hash FROM refresh_token WHERE client_id = client.id ORDER BY issued_at DESC, hash OFFSET $2::int) AS surplus)`,
}

/** Issuing and checking are on the path of every token request: prepared SQL, one statement for the requests of one event-loop turn. */
@Injectable()
export class RefreshTokensRepository {
  constructor(
    private readonly pool: Pool,
    private readonly database: AccountsDatabase,
  ) {}

  /** Settles once it is committed. */
  readonly insert = groupCommit<NewRefreshToken>(async (tokens) => {
    await this.pool.query(insertAll(tokens))
    await this.pool.query({ ...END_OLDEST, values: [[...new Set(tokens.map(({ clientId }) => clientId))], MAX_OF_CLIENT] })
  })

  /** Whether the token was issued and is not revoked. */
  async isValid(hash: Buffer): Promise<boolean> {
    return (await this.#find(hash.toString('hex'))) === true
  }

  async revoke(hash: Uint8Array<ArrayBuffer>, revokedAt: Date): Promise<void> {
    await this.database.refreshToken.updateMany({ where: { hash, revokedAt: null }, data: { revokedAt } })
  }

  readonly #find = batchLookups<string, true>(async (hashes) => {
    const { rows } = await this.pool.query<{ hash: Buffer }>({ ...FIND, values: [hashes.map((hash) => Buffer.from(hash, 'hex'))] })
    return new Map(rows.map((row) => [row.hash.toString('hex'), true]))
  })
}
