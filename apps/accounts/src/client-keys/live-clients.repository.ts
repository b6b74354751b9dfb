import { Injectable } from '@nestjs/common'
import { batchLookups } from '@trestle/database/batching'
import { selectList } from '@trestle/database/columns'
import { Pool } from 'pg'
import type { ClientKey as ClientKeyRow } from '../generated/prisma/client.js'
import { type LiveClient, limitsOf, storedScopes } from './client-key.js'

export interface StoredClient extends LiveClient {
  readonly secretHash: Uint8Array
  readonly lastUsedAt?: Date
  /** The secret before the last rotation, until when it may be used. */
  readonly formerSecretHash?: Uint8Array
  readonly formerSecretUntil?: Date
}

const FIELDS = [
  'id',
  'userId',
  'organizationId',
  'secretHash',
  'formerSecretHash',
  'formerSecretUntil',
  'scopes',
  'perSecond',
  'perDay',
  'allowedIps',
  'epoch',
  'expiresAt',
  'lastUsedAt',
] as const
type Row = Pick<ClientKeyRow, (typeof FIELDS)[number]> & { userEpoch: number }

const FIND = {
  name: 'find_live_clients',
  text: `SELECT ${selectList(FIELDS, 'k')}, u.epoch AS "userEpoch" FROM client_key k JOIN "user" u ON u.id = k.user_id
          WHERE k.id = ANY($1) AND k.deleted_at IS NULL AND u.disabled_at IS NULL`,
}

/** On the path of every token request: prepared SQL, one query for the requests of one event-loop turn. */
@Injectable()
export class LiveClientsRepository {
  constructor(private readonly pool: Pool) {}

  readonly find = batchLookups<string, StoredClient>(async (ids) => {
    const { rows } = await this.pool.query<Row>({ ...FIND, values: [ids] })
    return new Map(rows.map((row) => [row.id, fromRow(row)]))
  })

  /** Keys, and the network that each was last used from. */
  async updateLastUsed(uses: ReadonlyMap<string, string>, lastUsedAt: Date): Promise<void> {
    await this.pool.query(
      `UPDATE client_key k SET last_used_at = $3, last_used_from = used.network FROM unnest($1::text[], $2::text[]) AS used (id, network)
        WHERE k.id = used.id AND (k.last_used_at IS NULL OR k.last_used_at < $3)`,
      [[...uses.keys()], [...uses.values()], lastUsedAt],
    )
  }
}

function fromRow({ id, userId, secretHash, scopes, epoch, userEpoch, ...row }: Row): StoredClient {
  return {
    clientId: id,
    userId,
    organizationId: row.organizationId ?? undefined,
    secretHash,
    formerSecretHash: row.formerSecretHash ?? undefined,
    formerSecretUntil: row.formerSecretUntil ?? undefined,
    scopes: storedScopes(scopes),
    limits: limitsOf({ perSecond: row.perSecond ?? undefined, perDay: row.perDay ?? undefined, allowedIps: row.allowedIps }),
    epoch: userEpoch,
    keyEpoch: epoch,
    expiresAt: row.expiresAt ?? undefined,
    lastUsedAt: row.lastUsedAt ?? undefined,
  }
}
