import { Inject, Injectable } from '@nestjs/common'
import { batchLookups, groupCommit } from '@trestle/database/batching'
import { insertRows } from '@trestle/database/columns'
import { Pool } from 'pg'
import { AccountsDatabase } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import type { RefreshToken as RefreshTokenRow } from '../generated/prisma/client.js'
import { ENV } from '../settings.module.js'
import type { StoredRefreshToken } from './refresh-token.js'

type NewRefreshToken = Omit<RefreshTokenRow, 'revokedAt' | 'usedAt'>

const insertAll = insertRows<NewRefreshToken>('refresh_token', {
  hash: 'bytea',
  clientId: 'text',
  family: 'bytea',
  generation: 'integer',
  issuedAt: 'timestamptz',
  expiresAt: 'timestamptz',
})

const DAY_MS = 24 * 3600_000

const FIND = {
  name: 'find_valid_refresh_tokens',
  text: `SELECT hash, coalesce(family, hash) AS family, generation, issued_at AS "issuedAt", used_at AS "usedAt",
                EXISTS (SELECT FROM refresh_token successor WHERE successor.family = coalesce(t.family, t.hash)
                           AND successor.generation > t.generation AND successor.used_at IS NOT NULL) AS "isSuperseded"
           FROM refresh_token t WHERE hash = ANY($1) AND revoked_at IS NULL`,
}
type Row = Omit<StoredRefreshToken, 'idleAt'> & { readonly hash: Buffer; readonly issuedAt: Date; readonly usedAt: Date | null }

// A successor that was never used, and generations so old that their reuse need not end the family: they are refused without.
const PRUNE = `DELETE FROM refresh_token WHERE (family = $1 OR hash = $1) AND
  (generation < $2 - 10 OR (generation > $2 AND used_at IS NULL AND issued_at < $3::timestamptz - interval '1 hour'))`

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
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /** Settles once it is committed. */
  readonly insert = groupCommit<NewRefreshToken>(async (tokens) => {
    await this.pool.query(insertAll(tokens))
    await this.pool.query({ ...END_OLDEST, values: [[...new Set(tokens.map(({ clientId }) => clientId))], MAX_OF_CLIENT] })
  })

  /** A token that was issued and is not revoked. */
  find(hash: Buffer): Promise<StoredRefreshToken | undefined> {
    return this.#find(hash.toString('hex'))
  }

  async saveUse(hash: Uint8Array<ArrayBuffer>, usedAt: Date): Promise<void> {
    await this.database.refreshToken.updateMany({ where: { hash }, data: { usedAt } })
  }

  async revokeFamily({ family }: Pick<StoredRefreshToken, 'family'>, revokedAt: Date): Promise<void> {
    await this.database.refreshToken.updateMany({ where: { OR: [{ family }, { hash: family }], revokedAt: null }, data: { revokedAt } })
  }

  /** Keeps a family small. */
  async prune({ family, generation }: Pick<StoredRefreshToken, 'family' | 'generation'>, now: Date): Promise<void> {
    await this.pool.query(PRUNE, [family, generation, now])
  }

  readonly #find = batchLookups<string, StoredRefreshToken>(async (hashes) => {
    const { rows } = await this.pool.query<Row>({ ...FIND, values: [hashes.map((hash) => Buffer.from(hash, 'hex'))] })
    const idleMs = this.env.SESSION_IDLE_DAYS * DAY_MS
    return new Map(
      rows.map(({ hash, issuedAt, usedAt, ...row }) => {
        const idleAt = new Date((usedAt ?? issuedAt).getTime() + idleMs)
        return [hash.toString('hex'), { ...row, idleAt, usedAt: usedAt ?? undefined }]
      }),
    )
  })
}
