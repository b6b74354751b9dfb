import { Injectable } from '@nestjs/common'
import type { FactorAnswer, FactorMethod } from '@trestle/contracts/accounts/second-factors'
import type { ChallengeRecord } from './challenge.js'
import { PasskeysService } from './passkeys.service.js'
import { hashRecoveryCode } from './recovery-code.js'
import { RecoveryCodesService } from './recovery-codes.service.js'
import { TotpService } from './totp.service.js'

interface FactorCheck {
  readonly method: FactorMethod
  /** Uses up the answer: returns the user whom it proves, or undefined where it is wrong. */
  run(now: Date): Promise<string | undefined>
}

/** How an answer is compared with the factors of a user. */
@Injectable()
export class FactorChecksService {
  constructor(
    private readonly apps: TotpService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly passkeys: PasskeysService,
  ) {}

  of({ userId }: ChallengeRecord, { passkey: assertion, challenge, code = '' }: FactorAnswer): FactorCheck {
    if (assertion) {
      const answer = { assertion, challenge, askedUserId: userId }
      return { method: 'passkey', run: (now) => this.passkeys.use(answer, now) }
    }
    const hash = hashRecoveryCode(code)
    if (hash)
      return { method: 'recovery-code', run: async (now) => await this.ofUser(userId, (id) => this.recoveryCodes.use(id, hash, now)) }
    return { method: 'totp', run: (now) => this.ofUser(userId, (id) => this.apps.use(id, code, now)) }
  }

  /** Nobody was named: only a passkey, which asks for its own second factor, may do so. */
  private async ofUser(userId: string | null, use: (userId: string) => Promise<boolean>): Promise<string | undefined> {
    return userId !== null && (await use(userId)) ? userId : undefined
  }
}
