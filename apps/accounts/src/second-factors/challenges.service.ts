import { randomBytes } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { FactorChallenge } from '@trestle/contracts/accounts/second-factors'
import { Clock } from '@trestle/runtime/clock'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { User } from '../users/user.js'
import {
  type AskedAfter,
  type ChallengePurpose,
  type ChallengeRecord,
  type ChallengeSubject,
  hashChallenge,
  invalidChallenge,
  newFactorChallenge,
} from './challenge.js'
import { ChallengesRepository } from './challenges.repository.js'
import { PasskeysService } from './passkeys.service.js'
import { methodsOf, type SecondFactorRecord } from './second-factor.js'

type Asked = Pick<User, 'id' | 'epoch'> & { readonly factors: readonly SecondFactorRecord[]; readonly recoveryCodes: number }

/** Challenges are rows: of several replicas, one accepts the answer, and once. */
@Injectable()
export class ChallengesService {
  constructor(
    private readonly challenges: ChallengesRepository,
    private readonly passkeys: PasskeysService,
    private readonly throttling: ThrottlingService,
    private readonly clock: Clock,
  ) {}

  /** Asks a user for a factor. */
  async ask({ id, epoch, factors, recoveryCodes }: Asked, after: AskedAfter): Promise<FactorChallenge> {
    const { challenge, expiresAt } = await this.issue(after.sessionId ? 'step-up' : 'sign-in', { userId: id, epoch, ...after })
    const passkeys = factors.filter((factor) => factor.kind === 'passkey')
    const asked = { challenge, expiresAt: expiresAt.toISOString(), methods: methodsOf(factors, recoveryCodes) }
    return passkeys.length > 0 ? { ...asked, passkey: { ...(await this.passkeys.requestOptions(challenge, passkeys)) } } : asked
  }

  /** Asks whoever it is for a passkey, which names the user. */
  async askAnyone(network: string): Promise<FactorChallenge> {
    await this.throttling.spend({ passkeyChallengesFromNetwork: network })
    const { challenge, expiresAt } = await this.issue('sign-in', {})
    const passkey = { ...(await this.passkeys.requestOptions(challenge)) }
    return { challenge, expiresAt: expiresAt.toISOString(), methods: ['passkey'], passkey }
  }

  async issue(purpose: ChallengePurpose, subject: ChallengeSubject): Promise<{ challenge: string; expiresAt: Date }> {
    const challenge = randomBytes(32).toString('base64url')
    const record = newFactorChallenge(purpose, subject, this.clock.now())
    await this.challenges.insert(hashChallenge(challenge), record)
    return { challenge, expiresAt: record.expiresAt }
  }

  /** Problem `InvalidChallenge` where it cannot be answered (any more). */
  async require(challenge: string, ...purposes: ChallengePurpose[]): Promise<ChallengeRecord> {
    const found = await this.challenges.find(hashChallenge(challenge), this.clock.now())
    if (!found || !purposes.includes(found.purpose)) throw invalidChallenge()
    return found
  }

  /** Once it is answered. Problem `InvalidChallenge` where another answer was faster. */
  async take(challenge: string): Promise<void> {
    if (!(await this.challenges.take(hashChallenge(challenge)))) throw invalidChallenge()
  }
}
