import { Problem, retryAfter } from '@trestle/problem/problem'

/** The failures that were counted under one key. */
export interface Attempts {
  readonly failures: number
  readonly lastFailedAt: Date
}

/** How failures are counted, and how long a caller has to wait because of them. */
export interface ThrottleRule {
  /** Milliseconds until the next attempt is allowed; 0 if it is allowed now. */
  wait(attempts: Attempts, now: Date): number
  failed(attempts: Attempts, now: Date): Attempts
  succeeded(attempts: Attempts): Attempts
}

/** A rule that drains. */
export interface LeakyBucket extends ThrottleRule {
  /** How many attempts are in it. */
  level(attempts: Attempts, now: Date): number
}

/** A key under which attempts are counted, and the rule that limits them. */
export interface Throttle {
  /** What is attempted, and by whom or on whom; only a keyed hash is stored. */
  readonly key: string
  readonly rule: ThrottleRule
  /** Failures are counted, but nobody has to wait. */
  readonly lenient?: boolean
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const FREE_FAILURES = 5
const MAX_WAIT_MS = 15 * MINUTE_MS
const RESET_AFTER_MS = 24 * 60 * MINUTE_MS
const FAILURES_PER_MINUTE = 30

/**
 * For one account: five failures are free, then each one doubles the wait, up to 15 minutes. There is no lockout, so
 * nobody can lock out somebody else for long.
 */
export const perAccount: ThrottleRule = {
  wait(attempts, now) {
    const excess = failuresWithin(RESET_AFTER_MS, attempts, now) - FREE_FAILURES
    if (excess < 0) return 0
    return Math.max(0, Math.min(MAX_WAIT_MS, 2 ** excess * SECOND_MS) - elapsed(attempts.lastFailedAt, now))
  },
  failed: (attempts, now) => ({ failures: failuresWithin(RESET_AFTER_MS, attempts, now) + 1, lastFailedAt: now }),
  succeeded: ({ lastFailedAt }) => ({ failures: 0, lastFailedAt }),
}

/** A leaky bucket: so many at once, and then one each time a share of the period has passed. The period is at most a day: rows are kept so long. */
export function leakyBucket(capacity: number, periodMs: number): LeakyBucket {
  const dropMs = periodMs / capacity
  return {
    level: (attempts, now) => drained(attempts, dropMs, now).failures,
    wait(attempts, now) {
      const { failures, lastFailedAt } = drained(attempts, dropMs, now)
      return failures < capacity ? 0 : (failures - capacity + 1) * dropMs - elapsed(lastFailedAt, now)
    },
    failed(attempts, now) {
      const { failures, lastFailedAt } = drained(attempts, dropMs, now)
      return { failures: failures + 1, lastFailedAt }
    },
    succeeded: withoutLastFailure,
  }
}

/** For one network: 30 failures at once, and one every two seconds. */
export const perNetwork = leakyBucket(FAILURES_PER_MINUTE, MINUTE_MS)

/** The count without an attempt that was not made in the end. */
export function withoutLastFailure({ failures, lastFailedAt }: Attempts): Attempts {
  return { failures: Math.max(0, failures - 1), lastFailedAt }
}

/** Limits how often one network may guess a token that was mailed to somebody. */
export function guessingThrottle(network: string): Throttle {
  return { key: `guess ${network}`, rule: perNetwork }
}

export function tooManyAttempts(waitMs: number): Problem {
  const headers = retryAfter(waitMs / SECOND_MS)
  return new Problem('too-many', 'TooManyAttempts', `Too many failed attempts; try again in ${headers['retry-after']} s.`, { headers })
}

/** What is left in the bucket. Its time advances by whole drops, or frequent attempts would keep it from draining. */
function drained({ failures, lastFailedAt }: Attempts, dropMs: number, now: Date): Attempts {
  const drops = Math.floor(elapsed(lastFailedAt, now) / dropMs)
  if (drops >= failures) return { failures: 0, lastFailedAt: now }
  return { failures: failures - drops, lastFailedAt: new Date(lastFailedAt.getTime() + drops * dropMs) }
}

function failuresWithin(periodMs: number, { failures, lastFailedAt }: Attempts, now: Date): number {
  return elapsed(lastFailedAt, now) >= periodMs ? 0 : failures
}

function elapsed(since: Date, now: Date): number {
  // A clock that was set back must not prolong the wait.
  return Math.max(0, now.getTime() - since.getTime())
}
