import { type Share, TokenBucket } from './token-bucket.js'

/** In compute units. */
export interface ComputeUnitLimits {
  readonly perSecond: number
  readonly perDay: number
}

/** Why a call is not let through now. */
export interface LimitRefusal {
  readonly kind: 'second' | 'day'
  readonly retryAfterMs: number
  /** The limit that is reached, in compute units. */
  readonly limit: number
  /** When calls are let through again, in epoch milliseconds. */
  readonly resetAt: number
}

/** A project's serial number and compute units. */
export type Spent = [serial: number, computeUnits: number]

interface Account {
  readonly serial: number
  limits: ComputeUnitLimits
  /** The part of the limits that this process has. */
  share: Share
  readonly bucket: TokenBucket
  day: number
  spentToday: number
  /** Let through here and not reported yet. */
  unreported: number
  usedAt: number
}

const DAY_MS = 86_400_000
// What a project may spend at once after a pause, all processes together.
const BURST_SECONDS = 0.5
// A process that has spent so much of its share reports early.
const REPORT_SECONDS = 0.1
const IDLE_MS = 600_000

/**
 * What one process knows of the spending of all. It lets calls through at the full rate, as if it were alone, and debits what the others
 * report: traffic may be spread unevenly. Only the burst is divided, as all may spend it before they report.
 */
export class SpendingLedger {
  readonly #accounts = new Map<number, Account>()
  #processes = 1
  #isConnected = true

  /** How many processes there are, and whether they are connected; while they are not, each keeps to its part of the rate. */
  share(processes: number, isConnected: boolean): void {
    if (processes === this.#processes && isConnected === this.#isConnected) return
    this.#processes = processes
    this.#isConnected = isConnected
    for (const account of this.#accounts.values()) account.share = this.shareOf(account.limits)
  }

  take(serial: number, limits: ComputeUnitLimits, units: number, now: number): LimitRefusal | undefined {
    const account = this.account(serial, limits, now)
    const refusal = this.refusal(account, units, now)
    if (refusal) return refusal
    account.spentToday += units
    account.unreported += units
    return undefined
  }

  /** Whether so much of a project is unreported that the others should know now. */
  isUrgent(serial: number): boolean {
    const account = this.#accounts.get(serial)
    return account !== undefined && account.unreported * this.#processes >= account.limits.perSecond * REPORT_SECONDS
  }

  /** What was let through since the last time. */
  takeUnreported(): Spent[] {
    const spent: Spent[] = []
    for (const account of this.#accounts.values()) {
      if (account.unreported > 0) spent.push([account.serial, account.unreported])
      account.unreported = 0
    }
    return spent
  }

  /** What others have let through. Nothing is kept of a project not called here: its day is read with the project. */
  debitOthers(spent: readonly Spent[], now: number): void {
    for (const [serial, units] of spent) {
      const account = this.#accounts.get(serial)
      if (!account) continue
      this.beginDay(account, now)
      account.bucket.debit(units, account.share, now)
      account.spentToday += units
    }
  }

  /** What all have spent today by the database, which lacks the last moments; the reports received may lack the rest. */
  learnSpent(serial: number, limits: ComputeUnitLimits, spentToday: number, now: number): void {
    const account = this.account(serial, limits, now)
    account.spentToday = Math.max(account.spentToday, spentToday)
  }

  /** Drops projects that were not called for a while. */
  forgetIdle(now: number): void {
    for (const [serial, { usedAt }] of this.#accounts) if (now - usedAt > IDLE_MS) this.#accounts.delete(serial)
  }

  private refusal(account: Account, units: number, now: number): LimitRefusal | undefined {
    const { perSecond, perDay } = account.limits
    if (account.spentToday >= perDay) {
      const resetAt = (account.day + 1) * DAY_MS
      return { kind: 'day', retryAfterMs: resetAt - now, limit: perDay, resetAt }
    }
    const retryAfterMs = account.bucket.take(units, account.share, now)
    return retryAfterMs === 0 ? undefined : { kind: 'second', retryAfterMs, limit: perSecond, resetAt: now + retryAfterMs }
  }

  private account(serial: number, limits: ComputeUnitLimits, now: number): Account {
    const account = this.#accounts.get(serial) ?? this.open(serial, limits, now)
    if (account.limits !== limits) {
      account.limits = limits
      account.share = this.shareOf(limits)
    }
    account.usedAt = now
    this.beginDay(account, now)
    return account
  }

  private open(serial: number, limits: ComputeUnitLimits, now: number): Account {
    const share = this.shareOf(limits)
    const account = {
      serial,
      limits,
      share,
      bucket: new TokenBucket(share, now),
      day: dayOf(now),
      spentToday: 0,
      unreported: 0,
      usedAt: now,
    }
    this.#accounts.set(serial, account)
    return account
  }

  private beginDay(account: Account, now: number): void {
    const day = dayOf(now)
    if (day === account.day) return
    account.day = day
    account.spentToday = 0
  }

  private shareOf({ perSecond }: ComputeUnitLimits): Share {
    const capacity = (perSecond * BURST_SECONDS) / this.#processes
    return this.#isConnected ? { capacity, rate: perSecond } : { capacity, rate: perSecond / this.#processes }
  }
}

function dayOf(now: number): number {
  return Math.floor(now / DAY_MS)
}
