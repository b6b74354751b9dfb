import { Injectable } from '@nestjs/common'
import { PublicJwk } from '@trestle/contracts/accounts/discovery'
import { ROW_LOCK } from '@trestle/database/row-lock'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { SigningKey as SigningKeyRow } from '../generated/prisma/client.js'
import { KeyFamily, type SigningKeyRecord } from './signing-key.js'

export interface StoredKey extends SigningKeyRecord {
  readonly privateSealed: Uint8Array<ArrayBuffer>
}

@Injectable()
export class SigningKeysRepository {
  constructor(private readonly database: AccountsDatabase) {}

  async list(tx: AccountsTransaction = this.database): Promise<StoredKey[]> {
    return (await tx.signingKey.findMany()).map(fromRow)
  }

  /** Until the transaction ends, no other one changes the keys. */
  async lock(tx: AccountsTransaction): Promise<void> {
    await tx.$executeRawUnsafe(ROW_LOCK, 'signing keys')
  }

  async markCompromised(tx: AccountsTransaction, kid: string, compromisedAt: Date): Promise<void> {
    await tx.signingKey.updateMany({ where: { kid, compromisedAt: null }, data: { compromisedAt } })
  }

  async listCompromised(): Promise<string[]> {
    const rows = await this.database.signingKey.findMany({ where: { compromisedAt: { not: null } }, select: { kid: true } })
    return rows.map(({ kid }) => kid)
  }

  async insert(tx: AccountsTransaction, keys: readonly StoredKey[]): Promise<void> {
    await tx.signingKey.createMany({ data: [...keys] })
  }

  async delete(tx: AccountsTransaction, keys: readonly SigningKeyRecord[]): Promise<void> {
    await tx.signingKey.deleteMany({ where: { kid: { in: keys.map(({ kid }) => kid) } } })
  }
}

function fromRow({ family, publicJwk, ...row }: SigningKeyRow): StoredKey {
  return { ...row, family: KeyFamily.parse(family), publicJwk: PublicJwk.parse(publicJwk) }
}
