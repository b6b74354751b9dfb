import { Injectable } from '@nestjs/common'
import type { ClientArea } from '@trestle/contracts/areas'
import { batchLookups } from '@trestle/database/batching'
import { Pool } from 'pg'
import type { LiveClient } from './client-key.js'

export interface StoredClient extends LiveClient {
  readonly secretHash: Buffer
  readonly lastUsedAt?: Date
}

interface Row {
  id: string
  user_id: string
  secret_hash: Buffer
  scopes: ClientArea[]
  key_epoch: number
  user_epoch: number
  expires_at: Date | null
  last_used_at: Date | null
}

const FIND = {
  name: 'find_live_clients',
  text: `SELECT k.id, k.user_id, k.secret_hash, k.scopes, k.epoch AS key_epoch, u.epoch AS user_epoch, k.expires_at, k.last_used_at
           FROM client_key k JOIN "user" u ON u.id = k.user_id
          WHERE k.id = ANY($1) AND k.deleted_at IS NULL AND u.disabled_at IS NULL`,
}

/** Every token request comes through here: prepared SQL on the pool, one query for all requests of a moment. */
@Injectable()
export class LiveClientsRepository {
  constructor(private readonly pool: Pool) {}

  readonly find = batchLookups<string, StoredClient>(async (ids) => {
    const { rows } = await this.pool.query<Row>({ ...FIND, values: [ids] })
    return new Map(rows.map((row) => [row.id, toClient(row)]))
  })

  async markUsed(ids: readonly string[], usedAt: Date): Promise<void> {
    await this.pool.query('UPDATE client_key SET last_used_at = $2 WHERE id = ANY($1) AND (last_used_at IS NULL OR last_used_at < $2)', [
      ids,
      usedAt,
    ])
  }
}

function toClient(row: Row): StoredClient {
  return {
    clientId: row.id,
    userId: row.user_id,
    secretHash: row.secret_hash,
    scopes: row.scopes,
    epoch: row.user_epoch,
    keyEpoch: row.key_epoch,
    expiresAt: row.expires_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  }
}
