import { createHmac } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { Clock } from '@trestle/runtime/clock'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { AttemptsRepository } from './attempts.repository.js'
import { KnownNetworksRepository } from './known-networks.repository.js'
import { type Counted, tooManyAttempts, withdrawn } from './throttle.js'

const KNOWN_FOR_MS = 30 * 24 * 3600_000

/** Slows down whoever guesses. The database holds keyed hashes only: a dump of it names nobody. */
@Injectable()
export class ThrottlingService {
  constructor(
    private readonly attempts: AttemptsRepository,
    private readonly networks: KnownNetworksRepository,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /**
   * Makes an attempt, which has failed when it answers undefined. It is counted as failed before it is made, so that parallel
   * ones cannot outrun the count, and taken back afterwards. Problem `TooManyAttempts` when it is too early for it.
   */
  async attempt<T>(counted: readonly Counted[], work: (now: Date) => Promise<T | undefined>): Promise<T | undefined> {
    const wait = await this.count(counted)
    if (wait > 0) throw tooManyAttempts(wait)
    const result = await work(this.clock.now()).catch(async (error: unknown) => {
      await this.withdraw(counted)
      throw error
    })
    if (result !== undefined) await this.forgive(counted)
    return result
  }

  /** Counts one more under every key, and answers 0; or counts nothing, and answers how many milliseconds are to wait. */
  async count(counted: readonly Counted[]): Promise<number> {
    const now = this.clock.now()
    let wait = 0
    await this.attempts.update(this.keysOf(counted), now, (attempts) => {
      const waits = counted.map(({ rule, lenient }, at) => (lenient ? 0 : rule.wait(attempts[at] ?? NONE, now)))
      wait = Math.max(...waits)
      return wait > 0 ? undefined : counted.map(({ rule }, at) => rule.failed(attempts[at] ?? NONE, now))
    })
    return wait
  }

  /** Whether this user has been here of late. */
  knows(user: string, network: string): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - KNOWN_FOR_MS)
    return this.networks.isKnown(this.hash(`known ${user} ${network}`), since)
  }

  remember(user: string, network: string): Promise<void> {
    return this.networks.remember(this.hash(`known ${user} ${network}`), this.clock.now())
  }

  private async forgive(counted: readonly Counted[]): Promise<void> {
    await this.attempts.update(this.keysOf(counted), this.clock.now(), (attempts) =>
      counted.map(({ rule }, at) => rule.succeeded(attempts[at] ?? NONE)),
    )
  }

  private async withdraw(counted: readonly Counted[]): Promise<void> {
    await this.attempts.update(this.keysOf(counted), this.clock.now(), (attempts) => attempts.map(withdrawn))
  }

  private keysOf(counted: readonly Counted[]): Buffer[] {
    return counted.map(({ key }) => this.hash(key))
  }

  private hash(text: string): Buffer {
    return createHmac('sha256', this.env.THROTTLE_SECRET).update(text).digest()
  }
}

const NONE = { failures: 0, lastFailedAt: new Date(0) }
