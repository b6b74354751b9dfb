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
  /** Of these limits, as many as the processes are. */
  share: Share
  readonly bucket: TokenBucket
  day: number
  spentToday: number
  /** Let through here and not told yet. */
  unreported: number
  usedAt: number
}

const DAY_MS = 86_400_000
// What a project may spend at once, all processes together, after it was quiet.
const BURST_SECONDS = 0.5
// Of its share of the limit, what a process spends before it tells ahead of time.
const TELL_SECONDS = 0.1
const IDLE_MS = 600_000

/**
 * What one process knows of the spending of all. It lets through as if it were alone, at the full rate, and debits what the others
 * tell: traffic may come by any process, however unevenly. Only the burst is divided, for until they have told they all may spend it.
 */
export class SpendingLedger {
  readonly #accounts = new Map<number, Account>()
  #processes = 1
  #heard = true

  /** How many processes there are, and whether they hear each other; while they do not, each keeps to its part of the rate. */
  share(processes: number, heard: boolean): void {
    if (processes === this.#processes && heard === this.#heard) return
    this.#processes = processes
    this.#heard = heard
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

  /** Whether so much is untold of a project that the others should hear of it now. */
  isUrgent(serial: number): boolean {
    const account = this.#accounts.get(serial)
    return account !== undefined && account.unreported * this.#processes >= account.limits.perSecond * TELL_SECONDS
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

  /** What others have let through. Of a project nobody asks for here nothing is kept: its day is learnt when it is read. */
  debitOthers(spent: readonly Spent[], now: number): void {
    for (const [serial, units] of spent) {
      const account = this.#accounts.get(serial)
      if (!account) continue
      this.beginDay(account, now)
      account.bucket.debit(units, account.share, now)
      account.spentToday += units
    }
  }

  /** What all have spent today as it is written down: it lacks the last moments, and what was heard may lack anything else. */
  learnSpent(serial: number, limits: ComputeUnitLimits, spentToday: number, now: number): void {
    const account = this.account(serial, limits, now)
    account.spentToday = Math.max(account.spentToday, spentToday)
  }

  /** Drops what nobody has asked for in a while. */
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
    return this.#heard ? { capacity, rate: perSecond } : { capacity, rate: perSecond / this.#processes }
  }
}

function dayOf(now: number): number {
  return Math.floor(now / DAY_MS)
}
