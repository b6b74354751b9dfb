import { Inject, Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import type { Throttle } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { Place } from './concurrency-limiter.engine.js'
import { requireNoDemoPassword } from './demo-passwords.js'
import { HashingService, type Verification } from './hashing.service.js'
import { isTooLong, type PasswordOwner, requireStrong, stolenPassword } from './password-policy.js'
import { PasswordRangeClient } from './password-range.client.js'

interface PasswordCheck {
  readonly throttles: readonly Throttle[]
  /** Where it waits for a slot. */
  readonly place: Place
}

@Injectable()
export class PasswordsService {
  constructor(
    private readonly hashing: HashingService,
    private readonly throttling: ThrottlingService,
    private readonly ranges: PasswordRangeClient,
    @Inject(ENV) private readonly env: Pick<AccountsEnv, 'NODE_ENV'>,
  ) {}

  /** Problem `WeakPassword` for a new password that could be guessed. Whether it was stolen costs a request, and is asked at the end. */
  requireStrong(password: string, owner: PasswordOwner): void {
    requireStrong(password, owner)
    requireNoDemoPassword(password, owner, { isProduction: this.env.NODE_ENV === 'production' })
  }

  /** The hash of a new password; Problem `WeakPassword` when it could be guessed. */
  async accept(password: string, owner: PasswordOwner, network: string): Promise<string> {
    this.requireStrong(password, owner)
    if (await this.ranges.isStolen(password)) throw stolenPassword()
    return this.hashing.hash(password, { lane: 'sign-up', turnOf: network })
  }

  /** Hashes a password that was accepted before, without checking its strength again. */
  rehash(password: string, network: string): Promise<string> {
    return this.hashing.hash(password, { lane: 'known', turnOf: network })
  }

  /**
   * Compares a password with a stored hash, or with a dummy one, which takes as long; undefined if it is wrong.
   * Problem `TooManyAttempts` when it is too early for another attempt.
   */
  async check(stored: string | undefined, password: string, { throttles, place }: PasswordCheck): Promise<Verification | undefined> {
    if (isTooLong(password)) throw new Problem('invalid', 'InvalidInput', 'A password has at most 1024 bytes.')
    return this.throttling.attempt(throttles, async () => {
      const verification = await this.hashing.verify(stored, password, place)
      return verification.matches ? verification : undefined
    })
  }
}
