import { Problem, retryAfter } from '@trestle/problem/problem'

/** What is known of earlier failures under one key. */
export interface Attempts {
  readonly failures: number
  readonly lastFailedAt: Date
}

/** How failures are counted, and how long they make one wait. */
export interface Rule {
  /** Milliseconds until the next attempt is allowed; 0 when it is now. */
  wait(attempts: Attempts, now: Date): number
  failed(attempts: Attempts, now: Date): Attempts
  succeeded(attempts: Attempts): Attempts
}

/** Something to be counted. */
export interface Counted {
  /** What is attempted, and by whom or on whom; only a keyed hash of it is kept. */
  readonly key: string
  readonly rule: Rule
  /** Counted, but nobody has to wait for it. */
  readonly lenient?: boolean
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const FREE_FAILURES = 5
const LONGEST_WAIT = 15 * MINUTE
const FORGOTTEN_AFTER = 24 * 60 * MINUTE
const FAILURES_PER_MINUTE = 30
const LEAK = MINUTE / FAILURES_PER_MINUTE

/**
 * For one account: five failures are free, then each doubles the wait, up to a quarter of an hour. There is no lock,
 * so that nobody can lock another out for long.
 */
export const perAccount: Rule = {
  wait(attempts, now) {
    const excess = countedWithin(FORGOTTEN_AFTER, attempts, now) - FREE_FAILURES
    if (excess < 0) return 0
    return Math.max(0, Math.min(LONGEST_WAIT, 2 ** excess * SECOND) - elapsed(attempts.lastFailedAt, now))
  },
  failed: (attempts, now) => ({ failures: countedWithin(FORGOTTEN_AFTER, attempts, now) + 1, lastFailedAt: now }),
  succeeded: ({ lastFailedAt }) => ({ failures: 0, lastFailedAt }),
}

/** For one network: a bucket that holds thirty failures and leaks one every two seconds. */
export const perNetwork: Rule = {
  wait(attempts, now) {
    const { failures, lastFailedAt } = leaked(attempts, now)
    return failures < FAILURES_PER_MINUTE ? 0 : (failures - FAILURES_PER_MINUTE + 1) * LEAK - elapsed(lastFailedAt, now)
  },
  failed(attempts, now) {
    const { failures, lastFailedAt } = leaked(attempts, now)
    return { failures: failures + 1, lastFailedAt }
  },
  succeeded: withdrawn,
}

/** Something that may happen some times in a period, which begins anew each time it happens. */
export function atMost(times: number, periodMs: number): Rule {
  return {
    wait: (attempts, now) => (countedWithin(periodMs, attempts, now) < times ? 0 : periodMs - elapsed(attempts.lastFailedAt, now)),
    failed: (attempts, now) => ({ failures: countedWithin(periodMs, attempts, now) + 1, lastFailedAt: now }),
    succeeded: (attempts) => attempts,
  }
}

/** The count without an attempt that in the end was none. */
export function withdrawn({ failures, lastFailedAt }: Attempts): Attempts {
  return { failures: Math.max(0, failures - 1), lastFailedAt }
}

/** Guesses of what was mailed to somebody, by one network. */
export function networkGuessing(network: string): Counted {
  return { key: `guess ${network}`, rule: perNetwork }
}

export function tooManyAttempts(waitMs: number): Problem {
  const headers = retryAfter(waitMs / SECOND)
  return new Problem('too-many', 'TooManyAttempts', `Too many failed attempts; try again in ${headers['retry-after']} s.`, { headers })
}

/** What is still in the bucket; its time moves on by whole drops, or frequent attempts would keep it from leaking. */
function leaked({ failures, lastFailedAt }: Attempts, now: Date): Attempts {
  const drops = Math.floor(elapsed(lastFailedAt, now) / LEAK)
  if (drops >= failures) return { failures: 0, lastFailedAt: now }
  return { failures: failures - drops, lastFailedAt: new Date(lastFailedAt.getTime() + drops * LEAK) }
}

function countedWithin(periodMs: number, { failures, lastFailedAt }: Attempts, now: Date): number {
  return elapsed(lastFailedAt, now) >= periodMs ? 0 : failures
}

function elapsed(since: Date, now: Date): number {
  // A clock that went back must not make anybody wait longer.
  return Math.max(0, now.getTime() - since.getTime())
}
