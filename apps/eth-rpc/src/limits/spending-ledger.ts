import { FairShare } from './fair-share.js'
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
type Spent = [serial: number, computeUnits: number]

/** What a process has admitted and refused since its last report. */
export interface SpendingReport {
  readonly spent: Spent[]
  readonly refused: Spent[]
}

interface Account {
  readonly serial: number
  limits: ComputeUnitLimits
  /** What all processes together may admit. */
  whole: Share
  /** What this process may. */
  share: Share
  readonly bucket: TokenBucket
  readonly fairShare: FairShare
  day: number
  spentToday: number
  /** Let through here and not reported yet. */
  unreported: number
  /** Not let through. */
  refused: number
  reportedAt: number
  usedAt: number
}

const DAY_MS = 86_400_000
// What a project may spend at once after a pause, all processes together.
const BURST_SECONDS = 0.5
// A process that has spent so much of its share reports early.
const REPORT_SECONDS = 0.1
// What is less of its share is not worth a report of its own.
const MIN_REPORT_SECONDS = 0.01
// Where there are more processes, each reports less often: none gets many more reports than these send.
const PROCESSES_AT_FULL_PACE = 40
const ADJUST_MS = 10
const IDLE_MS = 600_000

/**
 * What one process knows of the spending of all. A process that is alone admits calls at the full rate. Of several, each admits its part, which
 * follows what is asked of it and of the others; what they report to have admitted corrects the parts.
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
    for (const account of this.#accounts.values()) account.share = this.shareOf(account)
  }

  /** Every how many times a process reports that may do so. */
  get reportEvery(): number {
    return Math.ceil(this.#processes / PROCESSES_AT_FULL_PACE)
  }

  take(serial: number, limits: ComputeUnitLimits, units: number, now: number): LimitRefusal | undefined {
    const account = this.account(serial, limits, now)
    account.fairShare.noteAsked(units)
    const refusal = this.refusal(account, units, now)
    if (refusal) {
      account.refused += units
      return refusal
    }
    account.fairShare.noteAdmitted(units)
    account.spentToday += units
    account.unreported += units
    return undefined
  }

  /** Whether so much of a project is unreported that the others should know now. */
  isUrgent(serial: number): boolean {
    const account = this.#accounts.get(serial)
    if (!account) return false
    return account.unreported >= account.fairShare.weight * account.limits.perSecond * REPORT_SECONDS * this.reportEvery
  }

  /** What was let through and refused since the last time; what is little only where all of it is wanted. */
  takeUnreported(now: number, isAll = true): SpendingReport {
    const report: SpendingReport = { spent: [], refused: [] }
    for (const account of this.#accounts.values())
      if (isAll || account.unreported + account.refused > account.share.rate * MIN_REPORT_SECONDS) addTo(report, account, now)
    return report
  }

  /** What others have let through and refused. Nothing is kept of a project not called here: its day is read with the project. */
  debitOthers({ spent, refused }: Readonly<SpendingReport>, now: number): void {
    for (const [serial, units] of spent) this.debit(serial, units, 0, now)
    for (const [serial, units] of refused) this.debit(serial, 0, units, now)
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

  private debit(serial: number, spent: number, refused: number, now: number): void {
    const account = this.#accounts.get(serial)
    if (!account) return
    this.beginDay(account, now)
    this.adjust(account, now)
    account.fairShare.noteOthers(spent, refused, account.whole, now)
    account.spentToday += spent
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
      account.whole = wholeOf(limits)
      account.share = this.shareOf(account)
    }
    account.usedAt = now
    this.beginDay(account, now)
    this.adjust(account, now)
    return account
  }

  private open(serial: number, limits: ComputeUnitLimits, now: number): Account {
    const whole = wholeOf(limits)
    const fairShare = new FairShare(whole, now)
    const share = this.shareOf({ whole, fairShare })
    const account = {
      serial,
      limits,
      whole,
      share,
      bucket: new TokenBucket(share, now),
      fairShare,
      day: dayOf(now),
      spentToday: 0,
      unreported: 0,
      refused: 0,
      reportedAt: now,
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

  private adjust(account: Account, now: number): void {
    if (Math.abs(now - account.fairShare.at) < ADJUST_MS) return
    account.fairShare.advance(account.whole, now)
    if (this.#processes > 1) account.share = this.shareOf(account)
  }

  private shareOf({ whole, fairShare }: Pick<Account, 'whole' | 'fairShare'>): Share {
    if (this.#processes === 1) return whole
    if (this.#isConnected) return fairShare.of(whole, this.#processes)
    return { capacity: whole.capacity / this.#processes, rate: whole.rate / this.#processes }
  }
}

/** Those who ask again and again do not ask for more than there is. */
function addTo({ spent, refused }: SpendingReport, account: Account, now: number): void {
  const { serial, unreported, limits } = account
  const most = Math.ceil((limits.perSecond * Math.max(0, now - account.reportedAt)) / 1000) - unreported
  if (unreported > 0) spent.push([serial, unreported])
  if (account.refused > 0 && most > 0) refused.push([serial, Math.min(account.refused, most)])
  account.unreported = 0
  account.refused = 0
  account.reportedAt = now
}

function wholeOf({ perSecond }: ComputeUnitLimits): Share {
  return { capacity: perSecond * BURST_SECONDS, rate: perSecond }
}

function dayOf(now: number): number {
  return Math.floor(now / DAY_MS)
}
