import { createHmac } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { Turns } from '@trestle/database/turns'
import { Problem } from '@trestle/problem/problem'
import { Clock } from '@trestle/runtime/clock'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { AttemptsRepository } from './attempts.repository.js'
import { type BudgetName, budgetOf, overBudget } from './budgets.js'
import { KnownNetworksRepository } from './known-networks.repository.js'
import { RecentRefusals } from './recent-refusals.engine.js'
import { type LeakyBucket, type Throttle, tooManyAttempts, withoutLastFailure } from './throttle.js'

/** The budgets that something spends, and who spends them. */
type Spending = Readonly<Partial<Record<BudgetName, string>>>

/** Hashing has at most as many slots: more at once would only wait further on, each with a connection to Postgres. */
const MAX_AT_ONCE = 3

const KNOWN_FOR_MS = 30 * 24 * 3600_000

/** Slows down guessing. The database holds keyed hashes only: a dump of it names nobody. */
@Injectable()
export class ThrottlingService {
  private readonly refusals = new RecentRefusals()
  private readonly turns = new Turns(MAX_AT_ONCE, Number.POSITIVE_INFINITY)

  constructor(
    private readonly attempts: AttemptsRepository,
    private readonly networks: KnownNetworksRepository,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: AccountsEnv,
  ) {}

  /**
   * Makes an attempt, which has failed if it returns undefined. It is counted as failed before it is made, so that parallel
   * attempts cannot outrun the count, and corrected afterwards. Problem `TooManyAttempts` when it is too early.
   */
  async attempt<T>(throttles: readonly Throttle[], work: (now: Date) => Promise<T | undefined>): Promise<T | undefined> {
    const wait = await this.count(throttles)
    if (wait > 0) throw tooManyAttempts(wait)
    const result = await work(this.clock.now()).catch(async (error: unknown) => {
      await this.withdraw(throttles)
      throw error
    })
    if (result !== undefined) await this.forgive(throttles)
    return result
  }

  /**
   * A few requests of one network, or user, run at once, so that one cannot take all connections to the database. Who repeats a refused one
   * at once waits for the next refusal.
   */
  async inTurn<T>(turnOf: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.turns.run(turnOf, work)
    } catch (error) {
      if (isRefusal(error)) await this.refusals.slowDown(`by ${turnOf}`)
      throw error
    }
  }

  /** Counts one more attempt under every key and returns 0, or counts nothing and returns the milliseconds to wait. */
  async count(throttles: readonly Throttle[]): Promise<number> {
    const nowMs = this.clock.now().getTime()
    const strict = throttles.filter(({ lenient }) => !lenient).map(({ key }) => key)
    const repeated = this.refusals.waitOf(strict, nowMs)
    if (repeated > 0) return repeated
    const waits = await this.countNow(throttles)
    for (const [at, { key }] of throttles.entries()) if (waits[at]) this.refusals.remember(key, waits[at], nowMs)
    return Math.max(...waits)
  }

  /** Does the work if every key has room, and counts it under them unless it fails; undefined without room. */
  async ifRoom<T>(throttles: readonly Throttle[], work: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
    if ((await this.count(throttles)) > 0) return undefined
    try {
      return { result: await work() }
    } catch (error) {
      await this.withdraw(throttles)
      throw error
    }
  }

  /** How many attempts a bucket holds, over all replicas. */
  async levelOf(key: string, bucket: LeakyBucket): Promise<number> {
    const now = this.clock.now()
    let level = 0
    await this.attempts.update([this.hash(key)], now, ([attempts = NONE]) => {
      level = bucket.level(attempts, now)
      return undefined
    })
    return level
  }

  /** Spends one of each budget, or of none and throws Problem `TooManyRequests`. */
  async spend(budgets: Spending): Promise<void> {
    const wait = await this.count(this.budgetsOf(budgets))
    if (wait > 0) throw overBudget(wait)
  }

  /** Spends one of each budget, or of none and returns false: for what must not be told apart from outside. */
  async trySpend(budgets: Spending): Promise<boolean> {
    return Math.max(...(await this.countNow(this.budgetsOf(budgets)))) === 0
  }

  /** Whether this user has signed in from this network within the last 30 days. */
  isKnownNetwork(user: string, network: string): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - KNOWN_FOR_MS)
    return this.networks.exists(this.hash(`known ${user} ${network}`), since)
  }

  rememberNetwork(user: string, network: string): Promise<void> {
    return this.networks.save(this.hash(`known ${user} ${network}`), this.clock.now())
  }

  private async countNow(throttles: readonly Throttle[]): Promise<readonly number[]> {
    const now = this.clock.now()
    let waits: readonly number[] = []
    await this.attempts.update(this.keysOf(throttles), now, (attempts) => {
      waits = throttles.map(({ rule, lenient }, at) => (lenient ? 0 : rule.wait(attempts[at] ?? NONE, now)))
      return Math.max(...waits) > 0 ? undefined : throttles.map(({ rule }, at) => rule.failed(attempts[at] ?? NONE, now))
    })
    return waits
  }

  private async forgive(throttles: readonly Throttle[]): Promise<void> {
    await this.attempts.update(this.keysOf(throttles), this.clock.now(), (attempts) =>
      throttles.map(({ rule }, at) => rule.succeeded(attempts[at] ?? NONE)),
    )
    this.refusals.forget(throttles.map(({ key }) => key))
  }

  private async withdraw(throttles: readonly Throttle[]): Promise<void> {
    await this.attempts.update(this.keysOf(throttles), this.clock.now(), (attempts) => attempts.map(withoutLastFailure))
    this.refusals.forget(throttles.map(({ key }) => key))
  }

  private budgetsOf(budgets: Spending): Throttle[] {
    const names = Object.keys(budgets) as BudgetName[]
    return names.map((name) => budgetOf(name, budgets[name] ?? '', this.env.BUDGET_FACTOR))
  }

  private keysOf(throttles: readonly Throttle[]): Buffer[] {
    return throttles.map(({ key }) => this.hash(key))
  }

  private hash(text: string): Buffer<ArrayBuffer> {
    return createHmac('sha256', this.env.THROTTLE_SECRET).update(text).digest()
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Problem && (error.kind === 'too-many' || error.code === 'Busy')
}

const NONE = { failures: 0, lastFailedAt: new Date(0) }
