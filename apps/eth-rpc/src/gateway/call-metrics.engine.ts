import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge } from 'prom-client'
import type { AnswerCache } from '../cache/answer-cache.js'
import type { CallOutcome } from '../framing/outcome.js'
import type { OpenSockets } from './open-sockets.engine.js'

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

  watchSockets(sockets: Pick<OpenSockets, 'count' | 'refused'>): void {
    const registers = [this.metrics.registry]
    const open: Gauge = new Gauge({ name: 'websockets_open', help: 'Open WebSockets.', registers, collect: () => open.set(sockets.count) })
    new Counter({
      name: 'websockets_refused_total',
      help: 'WebSockets that would have been one too many, by the limit: of an address, a project, a user, or all.',
      labelNames: ['limit'],
      registers,
      collect() {
        this.reset()
        for (const [limit, count] of Object.entries(sockets.refused)) this.inc({ limit }, count)
      },
    })
  }

  count({ member, cached }: CallOutcome): void {
    if (member === 'error') this.counts.error++
    else if (cached) this.counts.cached++
    else this.counts.result++
  }
}
