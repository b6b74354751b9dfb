import { Injectable } from '@nestjs/common'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { ClientKey as ClientKeyRow } from '../generated/prisma/client.js'
import { type ClientKeyRecord, storedScopes } from './client-key.js'

/** Whose keys: those of a shared organization, or those of a user alone. */
export interface KeyOwner {
  readonly userId: string
  readonly organizationId: string
}

type SecretHash = Uint8Array<ArrayBuffer>

@Injectable()
export class ClientKeysRepository {
  constructor(private readonly database: AccountsDatabase) {}

  async list(owner: KeyOwner): Promise<ClientKeyRecord[]> {
    const rows = await this.database.clientKey.findMany({ where: liveOf(owner), orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })
    return rows.map(fromRow)
  }

  /** How many keys there are. The user is locked: they add no other key before the transaction ends. */
  async count(tx: AccountsTransaction, owner: KeyOwner): Promise<number> {
    await tx.$executeRaw`SELECT 1 FROM "user" WHERE id = ${owner.userId} FOR NO KEY UPDATE`
    return tx.clientKey.count({ where: liveOf(owner) })
  }

  async insert(tx: AccountsTransaction, key: ClientKeyRecord, secretHash: SecretHash): Promise<void> {
    await tx.clientKey.create({ data: { ...key, scopes: [...key.scopes], allowedIps: [...key.allowedIps], secretHash } })
  }

  /** Locked until the transaction ends. */
  async findAndLock(tx: AccountsTransaction, owner: KeyOwner, id: string): Promise<ClientKeyRecord | undefined> {
    await tx.$executeRaw`SELECT 1 FROM client_key WHERE id = ${id} FOR UPDATE`
    const row = await tx.clientKey.findFirst({ where: { ...liveOf(owner), id } })
    return row ? fromRow(row) : undefined
  }

  /** Returns the key's epoch, which rises if its tokens end. */
  async update(tx: AccountsTransaction, key: ClientKeyRecord, endsTokens: boolean): Promise<number> {
    const { id, name = null, expiresAt = null, scopes, perSecond = null, perDay = null, allowedIps } = key
    const settings = { name, expiresAt, scopes: [...scopes], perSecond, perDay, allowedIps: [...allowedIps] }
    const epoch = { increment: endsTokens ? 1 : 0 }
    // A later expiry is announced again.
    const row = await tx.clientKey.update({ where: { id }, data: { ...settings, expiryNotifiedAt: null, epoch }, select: { epoch: true } })
    return row.epoch
  }

  /** Replaces the secret; the one before may be used until then. */
  async replaceSecret(tx: AccountsTransaction, id: string, secretHash: SecretHash, formerSecretUntil: Date): Promise<void> {
    await tx.$executeRaw`
      UPDATE client_key SET former_secret_hash = secret_hash, former_secret_until = ${formerSecretUntil}, secret_hash = ${secretHash} WHERE id = ${id}`
  }

  /** Returns the epoch that invalidates the tokens of the key; undefined where there is no such key (any more). */
  async delete(tx: AccountsTransaction, owner: KeyOwner, id: string, deletedAt: Date): Promise<number | undefined> {
    const [deleted] = await tx.clientKey.updateManyAndReturn({
      where: { ...liveOf(owner), id },
      data: { deletedAt, epoch: { increment: 1 } },
      select: { epoch: true },
    })
    return deleted?.epoch
  }

  /** Keys that expire before then and were not announced; they count as announced from now on. */
  async takeExpiring(tx: AccountsTransaction, now: Date, until: Date): Promise<ClientKeyRecord[]> {
    const where = { deletedAt: null, expiryNotifiedAt: null, expiresAt: { gt: now, lte: until } }
    const due = await tx.clientKey.findMany({ where, take: 100, orderBy: { expiresAt: 'asc' }, select: { id: true } })
    const ids = due.map(({ id }) => id)
    const rows = await tx.clientKey.updateManyAndReturn({ where: { ...where, id: { in: ids } }, data: { expiryNotifiedAt: now } })
    return rows.map(fromRow)
  }
}

function liveOf({ userId, organizationId }: KeyOwner) {
  return organizationId === personalOrganizationOf(userId)
    ? { userId, organizationId: null, deletedAt: null }
    : { organizationId, deletedAt: null }
}

function fromRow({ secretHash: _, formerSecretHash: __, scopes, ...row }: ClientKeyRow): ClientKeyRecord {
  return {
    id: row.id,
    userId: row.userId,
    organizationId: row.organizationId ?? undefined,
    createdBy: row.createdBy ?? undefined,
    name: row.name ?? undefined,
    scopes: storedScopes(scopes),
    perSecond: row.perSecond ?? undefined,
    perDay: row.perDay ?? undefined,
    allowedIps: row.allowedIps,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt ?? undefined,
    lastUsedAt: row.lastUsedAt ?? undefined,
    lastUsedFrom: row.lastUsedFrom ?? undefined,
  }
}
