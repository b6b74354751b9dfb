import { Injectable } from '@nestjs/common'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { ClientKey as ClientKeyRow } from '../generated/prisma/client.js'
import { type ClientKeyRecord, storedScopes } from './client-key.js'

@Injectable()
export class ClientKeysRepository {
  constructor(private readonly database: AccountsDatabase) {}

  async list(userId: string): Promise<ClientKeyRecord[]> {
    const rows = await this.database.clientKey.findMany({
      where: { userId, deletedAt: null },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    })
    return rows.map(fromRow)
  }

  /** How many keys a user has. The user is locked: nobody else adds a key before the transaction ends. */
  async count(tx: AccountsTransaction, userId: string): Promise<number> {
    await tx.$executeRaw`SELECT 1 FROM "user" WHERE id = ${userId} FOR NO KEY UPDATE`
    return tx.clientKey.count({ where: { userId, deletedAt: null } })
  }

  async insert(tx: AccountsTransaction, key: ClientKeyRecord, secretHash: Uint8Array<ArrayBuffer>): Promise<void> {
    await tx.clientKey.create({ data: { ...key, scopes: [...key.scopes], secretHash } })
  }

  /** Returns the epoch that invalidates the tokens of the key; undefined when the user has no such key (any more). */
  async delete(tx: AccountsTransaction, key: { userId: string; id: string }, deletedAt: Date): Promise<number | undefined> {
    const [deleted] = await tx.clientKey.updateManyAndReturn({
      where: { ...key, deletedAt: null },
      data: { deletedAt, epoch: { increment: 1 } },
      select: { epoch: true },
    })
    return deleted?.epoch
  }
}

function fromRow({ id, userId, name, scopes, createdAt, expiresAt, lastUsedAt }: ClientKeyRow): ClientKeyRecord {
  return {
    id,
    userId,
    name: name ?? undefined,
    scopes: storedScopes(scopes),
    createdAt,
    expiresAt: expiresAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
  }
}
