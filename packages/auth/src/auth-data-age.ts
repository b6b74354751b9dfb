import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import { Gauge } from 'prom-client'

/** The age of the keys and revocations that were read from the accounts service: a metric, and a readiness check that they were ever read. */
@Injectable()
export class AuthDataAge {
  readonly #age: Gauge<'of'>
  readonly #readAt = new Map<string, () => number | undefined>()

  constructor(
    private readonly readiness: Readiness,
    metrics: Metrics,
  ) {
    this.#age = new Gauge({
      name: 'auth_age_seconds',
      help: 'Time since the keys or the revocations of access tokens were last read.',
      labelNames: ['of'],
      registers: [metrics.registry],
      collect: () => this.collect(),
    })
  }

  /** `readAt` returns when the last successful read was, on the monotonic clock of `performance.now`. */
  watch(name: 'keys' | 'revocations', readAt: () => number | undefined): void {
    this.#readAt.set(name, readAt)
    this.readiness.add(name, () => {
      if (readAt() === undefined) throw new Error(`the ${name} were never read`)
    })
  }

  private collect(): void {
    for (const [of, readAt] of this.#readAt) {
      const time = readAt()
      if (time !== undefined) this.#age.set({ of }, (performance.now() - time) / 1000)
    }
  }
}
