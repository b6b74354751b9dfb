import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import type { Throttle } from '../throttling/throttle.js'
import { ThrottlingService } from '../throttling/throttling.service.js'
import type { Place } from './concurrency-limiter.engine.js'
import { HashingService, type Verification } from './hashing.service.js'
import { isTooLong, type PasswordOwner } from './password-policy.js'
import { PasswordRulesService } from './password-rules.service.js'

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
    private readonly rules: PasswordRulesService,
  ) {}

  /** The hash of a new password; Problem `WeakPassword` when it could be guessed or was stolen, `SignInWithProvider` for whom it would be useless. */
  async accept(password: string, owner: PasswordOwner, network: string): Promise<string> {
    await this.rules.requireAcceptable(password, owner)
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
