import type { Logger } from '@trestle/runtime/logger'
import type { UpstreamStatus } from './head-feed.js'
import type { HeadMetricsService } from './head-metrics.service.js'
import type { Refusal } from './refusal.js'

interface Noted {
  readonly refusal?: Refusal
  readonly since: number
  isLogged: boolean
}

/** Whoever is refused for less was only a block late. */
const PASSING_MS = 1_000

/** Says in log and metrics which upstream is refused, and why. */
export class RefusalLog {
  private readonly noted = new Map<string, Noted>()

  constructor(
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
    private readonly metrics: Pick<HeadMetricsService, 'refusalChanged'>,
  ) {}

  take(statuses: Iterable<UpstreamStatus>): void {
    const now = performance.now()
    for (const { name, refusal } of statuses) {
      const before = this.noted.get(name)
      if (!before || before.refusal?.reason !== refusal?.reason) this.note(name, refusal, now, before)
      else if (refusal && !before.isLogged && now - before.since >= PASSING_MS) {
        before.isLogged = true
        this.logger.warn({ upstream: name, refused: refusal.reason, detail: refusal.detail }, 'the upstream is refused')
      }
    }
  }

  /** It is no longer there. */
  forget(name: string): void {
    this.noted.delete(name)
  }

  private note(name: string, refusal: Refusal | undefined, now: number, before: Noted | undefined): void {
    if (before?.isLogged && !refusal) this.logger.info({ upstream: name }, 'the upstream is no longer refused')
    this.noted.set(name, { refusal, since: now, isLogged: false })
    this.metrics.refusalChanged(name, refusal)
  }
}
