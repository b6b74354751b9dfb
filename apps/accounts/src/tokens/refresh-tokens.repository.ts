import { Injectable } from '@nestjs/common'
import { batchLookups, groupCommit } from '@trestle/database/batching'
import { Pool } from 'pg'

export interface RefreshTokenRow {
  readonly hash: Buffer
  readonly clientId: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

const INSERT = {
  name: 'insert_refresh_tokens',
  text: `INSERT INTO refresh_token (hash, client_id, issued_at, expires_at)
         SELECT * FROM unnest($1::bytea[], $2::text[], $3::timestamptz[], $4::timestamptz[])`,
}
const FIND = {
  name: 'find_living_refresh_tokens',
  text: 'SELECT hash FROM refresh_token WHERE hash = ANY($1) AND revoked_at IS NULL',
}

/** Every token request comes through here: prepared SQL on the pool, one statement for all requests of a moment. */
@Injectable()
export class RefreshTokensRepository {
  constructor(private readonly pool: Pool) {}

  /** Settles once it is committed. */
  readonly add = groupCommit<RefreshTokenRow>(async (rows) => {
    const columns = [
      rows.map((row) => row.hash),
      rows.map((row) => row.clientId),
      rows.map((row) => row.issuedAt),
      rows.map((row) => row.expiresAt),
    ]
    await this.pool.query({ ...INSERT, values: columns })
  })

  /** Whether the token was issued and is not revoked. */
  async lives(hash: Buffer): Promise<boolean> {
    return (await this.#find(hash.toString('hex'))) === true
  }

  async revoke(hash: Buffer, revokedAt: Date): Promise<void> {
    await this.pool.query('UPDATE refresh_token SET revoked_at = $2 WHERE hash = $1 AND revoked_at IS NULL', [hash, revokedAt])
  }

  readonly #find = batchLookups<string, true>(async (hashes) => {
    const { rows } = await this.pool.query<{ hash: Buffer }>({ ...FIND, values: [hashes.map((hash) => Buffer.from(hash, 'hex'))] })
    return new Map(rows.map((row) => [row.hash.toString('hex'), true]))
  })
}
