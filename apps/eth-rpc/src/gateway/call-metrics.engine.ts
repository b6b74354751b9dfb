import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge } from 'prom-client'
import type { AnswerCache } from '../cache/answer-cache.js'
import type { CallOutcome } from '../framing/outcome.js'

/** Counts outcomes in plain numbers: a call is too short for a labelled counter. */
@Injectable()
export class CallMetrics {
  private readonly counts = { result: 0, cached: 0, error: 0 }

  constructor(private readonly metrics: Metrics) {
    const { counts } = this
    // The second name is the former one, kept for a release.
    for (const name of ['eth_rpc_calls_total', 'calls_answered_total']) {
      new Counter({
        name,
        help: 'Calls over HTTP and WebSocket, by outcome.',
        labelNames: ['outcome'],
        registers: [metrics.registry],
        collect() {
          this.reset()
          for (const [outcome, count] of Object.entries(counts)) this.inc({ outcome }, count)
        },
      })
    }
  }

  watch(cache: Pick<AnswerCache, 'bytes' | 'count'>): void {
    const registers = [this.metrics.registry]
    const bytes: Gauge = new Gauge({
      name: 'cache_bytes',
      help: 'Bytes of the cached answers.',
      registers,
      collect: () => bytes.set(cache.bytes),
    })
    const entries: Gauge = new Gauge({ name: 'cache_entries', help: 'Cached answers.', registers, collect: () => entries.set(cache.count) })
  }

  count({ member, cached }: CallOutcome): void {
    if (member === 'error') this.counts.error++
    else if (cached) this.counts.cached++
    else this.counts.result++
  }
}
