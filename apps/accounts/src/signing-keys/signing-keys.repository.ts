import { Injectable } from '@nestjs/common'
import { PublicJwk } from '@trestle/contracts/accounts/discovery'
import { Database, type Transaction } from '../database.module.js'
import type { SigningKey as SigningKeyRow } from '../generated/prisma/client.js'
import type { Family, SigningKey } from './signing-key.js'

export interface StoredKey extends SigningKey {
  readonly privateSealed: Uint8Array<ArrayBuffer>
}

@Injectable()
export class SigningKeysRepository {
  constructor(private readonly database: Database) {}

  async list(tx: Transaction = this.database): Promise<StoredKey[]> {
    return (await tx.signingKey.findMany()).map(toKey)
  }

  /** Makes the transaction the only one that changes keys until it ends. */
  async lock(tx: Transaction): Promise<void> {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('signing keys'), hashtext(current_schema()))`
  }

  async add(tx: Transaction, keys: readonly StoredKey[]): Promise<void> {
    await tx.signingKey.createMany({ data: [...keys] })
  }

  async remove(tx: Transaction, keys: readonly SigningKey[]): Promise<void> {
    await tx.signingKey.deleteMany({ where: { kid: { in: keys.map(({ kid }) => kid) } } })
  }
}

function toKey({ family, publicJwk, ...row }: SigningKeyRow): StoredKey {
  return { ...row, family: family as Family, publicJwk: PublicJwk.parse(publicJwk) }
}
