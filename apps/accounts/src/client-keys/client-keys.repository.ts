import { Injectable } from '@nestjs/common'
import type { ClientArea } from '@trestle/contracts/areas'
import { Database, type Transaction } from '../database.module.js'
import type { ClientKey as ClientKeyRow } from '../generated/prisma/client.js'
import type { ClientKey } from './client-key.js'

@Injectable()
export class ClientKeysRepository {
  constructor(private readonly database: Database) {}

  async list(userId: string): Promise<ClientKey[]> {
    const rows = await this.database.clientKey.findMany({
      where: { userId, deletedAt: null },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    })
    return rows.map(toKey)
  }

  /** How many keys a user has; until the transaction ends nobody else adds one to them. */
  async count(tx: Transaction, userId: string): Promise<number> {
    await tx.$executeRaw`SELECT 1 FROM "user" WHERE id = ${userId} FOR NO KEY UPDATE`
    return tx.clientKey.count({ where: { userId, deletedAt: null } })
  }

  async add(tx: Transaction, key: ClientKey, secretHash: Uint8Array<ArrayBuffer>): Promise<void> {
    await tx.clientKey.create({ data: { ...key, scopes: [...key.scopes], secretHash } })
  }

  /** The epoch that kills the tokens of a deleted key; undefined when the user has no such key (any more). */
  async remove(tx: Transaction, key: { userId: string; id: string }, deletedAt: Date): Promise<number | undefined> {
    const where = { ...key, deletedAt: null }
    const [removed] = await tx.clientKey.updateManyAndReturn({
      where,
      data: { deletedAt, epoch: { increment: 1 } },
      select: { epoch: true },
    })
    return removed?.epoch
  }
}

function toKey({ id, userId, name, scopes, createdAt, expiresAt, lastUsedAt }: ClientKeyRow): ClientKey {
  return {
    id,
    userId,
    name: name ?? undefined,
    scopes: scopes as ClientArea[],
    createdAt,
    expiresAt: expiresAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
  }
}
