import type { CallClass } from '@trestle/contracts/endpoint'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { ExpiringMap } from './expiring-map.engine.js'

const PERIOD_MS = 60_000
/** How many at once; as many again become free evenly over a minute. For one user, or one client key, in one process. */
const BUDGETS: Record<CallClass | 'token', number> = { read: 6000, write: 600, creation: 120, token: 600 }

/** Limits what one caller asks of this process; in memory, since a shared count would cost each request a write (decision 32). */
export class ApiBudget {
  /** By class and spender, when all is free again (GCRA). Who spends nothing for a minute takes no memory. */
  private readonly freeAt = new ExpiringMap<number>((freeAt, now) => freeAt <= now)

  /** With the factor Infinity nothing is limited. */
  constructor(private readonly factor: number) {}

  /** Problem `TooManyRequests` where the budget is spent. */
  spend(spending: keyof typeof BUDGETS, spender: string, now = performance.now()): void {
    const stepMs = PERIOD_MS / (BUDGETS[spending] * this.factor)
    const key = `${spending} ${spender}`
    const freeAt = Math.max(this.freeAt.get(key) ?? 0, now) + stepMs
    const waitMs = freeAt - now - PERIOD_MS
    // Half a step, for what rounding adds up to.
    if (waitMs > stepMs / 2) throw overBudget(waitMs)
    this.freeAt.set(key, freeAt, now)
  }

  get size(): number {
    return this.freeAt.size
  }
}

function overBudget(waitMs: number): Problem {
  const headers = retryAfter(waitMs / 1000)
  const detail = `You send too many requests of this kind; try again in ${headers['retry-after']} s.`
  return new Problem('too-many', 'TooManyRequests', detail, { headers })
}
