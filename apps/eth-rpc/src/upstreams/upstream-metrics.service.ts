import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { UpstreamStatus } from '../heads/head-feed.js'
import type { Suspicion } from '../integrity/suspicion.js'
import type { UpstreamConfig } from './upstream-config.js'
import type { UpstreamFaultKind } from './upstream-fault.js'
import type { Circuit, UpstreamHealth } from './upstream-health.js'

/** The outcome of a request to an upstream. */
type Result = 'result' | 'error' | UpstreamFaultKind

const RESULTS: readonly Result[] = [
  'result',
  'error',
  'unreachable',
  'reset',
  'timeout',
  'status',
  'limited',
  'too-large',
  'malformed',
  'aborted',
]

/** The figures of one upstream, its labels bound. */
export interface UpstreamFigures {
  readonly requests: Readonly<Record<Result, Counter.Internal>>
  readonly duration: Histogram.Internal<'upstream'>
  readonly contradicted: Readonly<Record<Suspicion, Counter.Internal>>
  readonly outvoted: Counter.Internal
}

/** What came of a copy that was sent to a shadow; `skipped`: it was not sent, as the shadow was busy or behind. */
type ShadowOutcome = 'same' | 'different' | 'failed' | 'skipped'

interface Watched {
  readonly config: UpstreamConfig
  readonly health: UpstreamHealth
}

const CIRCUITS: Readonly<Record<Circuit, number>> = { closed: 0, 'half-open': 1, open: 2 }

/** The requests to upstreams, as metrics. */
@Injectable()
export class UpstreamMetricsService {
  readonly hedges: Counter
  readonly retries: Counter
  readonly quorumCalls: Counter<'outcome'>
  private readonly requests: Counter<'upstream' | 'outcome'>
  private readonly duration: Histogram<'upstream'>
  private readonly contradicted: Counter<'upstream' | 'kind'>
  private readonly outvoted: Counter<'upstream'>
  private readonly shadows: Counter<'upstream' | 'outcome'>

  constructor(private readonly metrics: Metrics) {
    const registers = [metrics.registry]
    this.requests = new Counter({
      name: 'upstream_requests_total',
      help: 'Requests to upstreams, by outcome.',
      labelNames: ['upstream', 'outcome'],
      registers,
    })
    this.duration = new Histogram({
      name: 'upstream_duration_seconds',
      help: 'Time until an upstream answered.',
      labelNames: ['upstream'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    })
    this.contradicted = new Counter({
      name: 'upstream_contradicted_total',
      help: 'Results that do not fit what was asked (wrong), or what the chain shows (doubtful, early).',
      labelNames: ['upstream', 'kind'],
      registers,
    })
    this.outvoted = new Counter({
      name: 'upstream_outvoted_total',
      help: 'Results other than those of a quorum that was asked the same.',
      labelNames: ['upstream'],
      registers,
    })
    this.quorumCalls = new Counter({
      name: 'eth_rpc_quorum_calls_total',
      help: 'Calls asked of several upstreams, by whether enough agreed.',
      labelNames: ['outcome'],
      registers,
    })
    this.shadows = new Counter({
      name: 'upstream_shadow_total',
      help: 'Calls copied to a shadow, by how its answer compares.',
      labelNames: ['upstream', 'outcome'],
      registers,
    })
    this.hedges = new Counter({ name: 'upstream_hedges_total', help: 'Second requests, sent because the first was slow.', registers })
    this.retries = new Counter({ name: 'upstream_retries_total', help: 'Requests repeated because an earlier one failed.', registers })
  }

  of(upstream: string): UpstreamFigures {
    const requests = Object.fromEntries(RESULTS.map((outcome) => [outcome, this.requests.labels({ upstream, outcome })]))
    const contradicted = (kind: Suspicion) => this.contradicted.labels({ upstream, kind })
    return {
      requests: requests as UpstreamFigures['requests'],
      duration: this.duration.labels({ upstream }),
      contradicted: { wrong: contradicted('wrong'), doubtful: contradicted('doubtful'), early: contradicted('early') },
      outvoted: this.outvoted.labels({ upstream }),
    }
  }

  shadowed(upstream: string, outcome: ShadowOutcome): void {
    this.shadows.inc({ upstream, outcome })
  }

  /** Shows the state of the upstreams at each scrape. */
  watch(upstreams: () => readonly Watched[], statusOf: (upstream: Watched) => UpstreamStatus | undefined): void {
    const gauge = (name: string, help: string, read: (upstream: Watched) => number) => {
      const registers = [this.metrics.registry]
      const collect = () => {
        // Some may be gone.
        shown.reset()
        for (const upstream of upstreams()) shown.set({ upstream: upstream.config.name }, read(upstream))
      }
      // Several processes scraped as one have the same nodes.
      const shown = new Gauge({ name, help, labelNames: ['upstream'], registers, aggregator: 'max', collect })
    }
    gauge('upstream_up', '1 while the upstream has the right chain id, is on our chain and is asked.', (upstream) => {
      const status = statusOf(upstream)
      return status?.isUsable && status.isOnOurChain ? 1 : 0
    })
    gauge('upstream_head', 'The newest block that the upstream has reported.', (upstream) => statusOf(upstream)?.head ?? 0)
    gauge('upstream_circuit', '0 closed: asked; 1 half-open: probed; 2 open: not asked because it has failed too often.', ({ health }) => {
      return CIRCUITS[health.circuit(performance.now())]
    })
    gauge('upstream_in_flight', 'Requests that the upstream has not answered yet.', ({ health }) => health.inFlight)
  }
}
