import { Injectable } from '@nestjs/common'
import { AccountsDatabase, type AccountsTransaction } from '../database.module.js'
import type { SecondFactor as FactorRow } from '../generated/prisma/client.js'
import type { PasskeyFactor, SecondFactorRecord, TotpFactor } from './second-factor.js'

type NewFactor<F extends SecondFactorRecord> = Omit<F, 'usedAt' | 'lastStep'>

@Injectable()
export class SecondFactorsRepository {
  constructor(private readonly database: AccountsDatabase) {}

  /** Until the transaction ends, no other one changes the factors of this user. */
  async lock(tx: AccountsTransaction, userId: string): Promise<void> {
    await tx.$queryRaw`SELECT 1 FROM "user" WHERE id = ${userId} FOR UPDATE`
  }

  /** Those that count, the oldest first. */
  async list(userId: string, tx: AccountsTransaction = this.database): Promise<SecondFactorRecord[]> {
    const rows = await tx.secondFactor.findMany({ where: { userId, confirmedAt: { not: null } }, orderBy: { createdAt: 'asc' } })
    return rows.map(fromRow)
  }

  async findPasskey(credentialId: Uint8Array<ArrayBuffer>): Promise<PasskeyFactor | undefined> {
    const row = await this.database.secondFactor.findUnique({ where: { credentialId, confirmedAt: { not: null } } })
    const factor = row ? fromRow(row) : undefined
    return factor?.kind === 'passkey' ? factor : undefined
  }

  /** The authenticator app that the user has begun to add since. */
  async findPendingTotp(userId: string, since: Date): Promise<TotpFactor | undefined> {
    const row = await this.database.secondFactor.findFirst({ where: { userId, kind: 'totp', confirmedAt: null, createdAt: { gt: since } } })
    const factor = row ? fromRow(row) : undefined
    return factor?.kind === 'totp' ? factor : undefined
  }

  /** Replaces an enrolment that was not finished. */
  async insertPendingTotp(factor: NewFactor<TotpFactor>): Promise<void> {
    const { secondFactor } = this.database
    const pending = { userId: factor.userId, kind: 'totp', confirmedAt: null }
    await this.database.$transaction([secondFactor.deleteMany({ where: pending }), secondFactor.create({ data: factor })])
  }

  /** Makes a pending authenticator app count, in place of the one before; returns whether it still was pending. */
  async confirmTotp(tx: AccountsTransaction, { id, userId }: TotpFactor, lastStep: number, confirmedAt: Date): Promise<boolean> {
    const { count } = await tx.secondFactor.updateMany({
      where: { id, confirmedAt: null },
      data: { confirmedAt, lastStep, usedAt: confirmedAt },
    })
    if (count === 1) await tx.secondFactor.deleteMany({ where: { userId, kind: 'totp', id: { not: id } } })
    return count === 1
  }

  /** Returns false where the credential is stored already. */
  async insertPasskey(tx: AccountsTransaction, { transports, ...factor }: NewFactor<PasskeyFactor>): Promise<boolean> {
    const data = { ...factor, transports: [...transports], confirmedAt: factor.createdAt }
    return (await tx.secondFactor.createMany({ data, skipDuplicates: true })).count === 1
  }

  /** Uses up the code of a step; of several requests at once, one succeeds. */
  async useStep(id: string, step: number, usedAt: Date): Promise<boolean> {
    const where = { id, confirmedAt: { not: null }, OR: [{ lastStep: null }, { lastStep: { lt: step } }] }
    return (await this.database.secondFactor.updateMany({ where, data: { lastStep: step, usedAt } })).count === 1
  }

  /** Stores the counter of a signature, unless it was overtaken (WebAuthn section 6.1.1). A passkey without a counter always says 0. */
  async useCounter(id: string, signatureCounter: bigint, usedAt: Date): Promise<boolean> {
    const where = { id, signatureCounter: signatureCounter === 0n ? signatureCounter : { lt: signatureCounter } }
    return (await this.database.secondFactor.updateMany({ where, data: { signatureCounter, usedAt } })).count === 1
  }

  async rename(userId: string, id: string, name: string): Promise<SecondFactorRecord | undefined> {
    const [row] = await this.database.secondFactor.updateManyAndReturn({
      where: { id, userId, confirmedAt: { not: null } },
      data: { name },
    })
    return row && fromRow(row)
  }

  async remove(tx: AccountsTransaction, userId: string, id: string): Promise<boolean> {
    return (await tx.secondFactor.deleteMany({ where: { id, userId, confirmedAt: { not: null } } })).count === 1
  }

  async removeAll(tx: AccountsTransaction, userId: string): Promise<number> {
    return (await tx.secondFactor.deleteMany({ where: { userId } })).count
  }
}

function fromRow({
  kind,
  secretSealed,
  lastStep,
  credentialId,
  publicKey,
  signatureCounter,
  transports,
  ...row
}: FactorRow): SecondFactorRecord {
  const { id, userId, name, createdAt, usedAt } = row
  const factor = { id, userId, name, createdAt, usedAt }
  if (kind === 'totp' && secretSealed) return { ...factor, kind, secretSealed, lastStep }
  if (kind === 'passkey' && credentialId && publicKey && signatureCounter !== null)
    return { ...factor, kind, credentialId, publicKey, signatureCounter, transports }
  // The table's CHECKs do not allow it.
  throw new Error(`The second factor ${id} is neither an authenticator app nor a passkey.`)
}
