import { randomBytes } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { AccountsTransaction } from '../database.module.js'
import { FactorChangesService } from './factor-changes.service.js'
import { hashRecoveryCode, RECOVERY_CODE_BYTES, RECOVERY_CODES, recoveryCode } from './recovery-code.js'
import { RecoveryCodesRepository } from './recovery-codes.repository.js'
import { unknownFactor } from './second-factor.js'

/** For whoever has lost the device: stored hashed, shown once, used once, replaced as a set. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly codes: RecoveryCodesRepository,
    private readonly changes: FactorChangesService,
  ) {}

  count(userId: string): Promise<number> {
    return this.codes.count(userId)
  }

  /** Ten new codes in place of those that are left. */
  replaceAll(userId: string): Promise<{ recoveryCodes: string[] }> {
    return this.changes.run(userId, 'recovery-codes-replaced', async ({ tx, now, existing }) => {
      if (existing.length === 0) throw unknownFactor()
      return { recoveryCodes: await this.replace(tx, userId, now) }
    })
  }

  async replace(tx: AccountsTransaction, userId: string, now: Date): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(randomBytes(RECOVERY_CODE_BYTES)))
    const hashes = codes.flatMap((code) => hashRecoveryCode(code) ?? [])
    await this.codes.replace(tx, userId, hashes, now)
    return codes
  }

  /** Uses up a code and mails its owner; false if the user has no such code. */
  async use(userId: string, hash: Buffer<ArrayBuffer>, now: Date): Promise<boolean> {
    const isUsed = await this.codes.use(userId, hash, now)
    if (isUsed) await this.changes.notify(userId, 'recovery-code-used')
    return isUsed
  }

  removeAll(tx: AccountsTransaction, userId: string): Promise<void> {
    return this.codes.removeAll(tx, userId)
  }
}
