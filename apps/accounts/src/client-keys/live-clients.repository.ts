import { Injectable } from '@nestjs/common'
import { batchLookups } from '@trestle/database/batching'
import { selectList } from '@trestle/database/columns'
import { Pool } from 'pg'
import { AccountsDatabase } from '../database.module.js'
import type { ClientKey as ClientKeyRow } from '../generated/prisma/client.js'
import { type LiveClient, storedScopes } from './client-key.js'

export interface StoredClient extends LiveClient {
  readonly secretHash: Uint8Array
  readonly lastUsedAt?: Date
}

const FIELDS = ['id', 'userId', 'secretHash', 'scopes', 'epoch', 'expiresAt', 'lastUsedAt'] as const
type Row = Pick<ClientKeyRow, (typeof FIELDS)[number]> & { userEpoch: number }

const FIND = {
  name: 'find_live_clients',
  text: `SELECT ${selectList(FIELDS, 'k')}, u.epoch AS "userEpoch" FROM client_key k JOIN "user" u ON u.id = k.user_id
          WHERE k.id = ANY($1) AND k.deleted_at IS NULL AND u.disabled_at IS NULL`,
}

/** On the path of every token request: prepared SQL, one query for the requests of one event-loop turn. */
@Injectable()
export class LiveClientsRepository {
  constructor(
    private readonly pool: Pool,
    private readonly database: AccountsDatabase,
  ) {}

  readonly find = batchLookups<string, StoredClient>(async (ids) => {
    const { rows } = await this.pool.query<Row>({ ...FIND, values: [ids] })
    return new Map(rows.map((row) => [row.id, fromRow(row)]))
  })

  async updateLastUsed(ids: readonly string[], lastUsedAt: Date): Promise<void> {
    const isOlder = [{ lastUsedAt: null }, { lastUsedAt: { lt: lastUsedAt } }]
    await this.database.clientKey.updateMany({ where: { id: { in: [...ids] }, OR: isOlder }, data: { lastUsedAt } })
  }
}

function fromRow({ id, scopes, epoch, userEpoch, expiresAt, lastUsedAt, ...row }: Row): StoredClient {
  return {
    ...row,
    clientId: id,
    scopes: storedScopes(scopes),
    epoch: userEpoch,
    keyEpoch: epoch,
    expiresAt: expiresAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
  }
}
