import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ChainBlock, ChainChange, ChainFinality } from './followed-chain.js'
import { timestampOf } from './header.js'
import { REFUSAL_REASONS, type Refusal } from './refusal.js'

/** The chain we follow, as metrics. */
@Injectable()
export class HeadMetricsService {
  private head?: ChainBlock
  private readonly reorgs: Counter
  private readonly depths: Histogram
  private readonly restarts: Counter
  private readonly lostLogs: Counter
  private readonly primary: Gauge<'upstream'>
  private readonly wrongChain: Gauge<'upstream'>
  private readonly refused: Gauge<'upstream' | 'reason'>
  private readonly settled: Gauge<'tag'>

  constructor({ registry }: Metrics) {
    const registers = [registry]
    this.reorgs = new Counter({ name: 'head_reorgs_total', help: 'How often blocks were disconnected.', registers })
    this.restarts = new Counter({ name: 'head_restarts_total', help: 'How often a gap was too wide to fill.', registers })
    this.lostLogs = new Counter({ name: 'head_logs_lost_total', help: 'Blocks whose logs no upstream gave in time.', registers })
    this.depths = new Histogram({
      name: 'head_reorg_depth',
      help: 'Blocks disconnected at once.',
      buckets: [1, 2, 3, 5, 10, 20, 50, 100],
      registers,
    })
    this.primary = new Gauge({
      name: 'head_lead',
      help: '1 for the primary upstream, whose chain is ours.',
      labelNames: ['upstream'],
      registers,
    })
    this.wrongChain = new Gauge({
      name: 'head_wrong_chain',
      help: '1 for an upstream with another chain id.',
      labelNames: ['upstream'],
      registers,
    })
    this.refused = new Gauge({
      name: 'upstream_refused',
      help: '1 for the reason why an upstream is not asked.',
      labelNames: ['upstream', 'reason'],
      registers,
    })
    this.settled = new Gauge({
      name: 'eth_rpc_settled_number',
      help: 'The newest block that is safe, or finalized.',
      labelNames: ['tag'],
      registers,
    })
    this.addGauges(registers)
  }

  headChanged({ removed, added, resetFrom }: ChainChange, head: ChainBlock | undefined): void {
    if (resetFrom && this.head) this.restarts.inc()
    if (removed.length > 0) {
      this.reorgs.inc()
      this.depths.observe(removed.length)
    }
    this.head = added.at(-1) ?? head
  }

  finalityChanged({ safe, finalized }: ChainFinality): void {
    if (safe !== undefined) this.settled.set({ tag: 'safe' }, safe)
    if (finalized !== undefined) this.settled.set({ tag: 'finalized' }, finalized)
  }

  primaryChanged(before: string | undefined, now: string | undefined): void {
    if (before) this.primary.set({ upstream: before }, 0)
    if (now) this.primary.set({ upstream: now }, 1)
  }

  chainChecked(upstream: string, isOfWrongChain: boolean): void {
    this.wrongChain.set({ upstream }, isOfWrongChain ? 1 : 0)
  }

  refusalChanged(upstream: string, refusal: Refusal | undefined): void {
    for (const reason of REFUSAL_REASONS) this.refused.set({ upstream, reason }, refusal?.reason === reason ? 1 : 0)
  }

  /** It is no longer there. */
  forget(upstream: string): void {
    this.primary.remove({ upstream })
    this.wrongChain.remove({ upstream })
    for (const reason of REFUSAL_REASONS) this.refused.remove({ upstream, reason })
  }

  logsLost(): void {
    this.lostLogs.inc()
  }

  private addGauges(registers: Registry[]): void {
    const head = () => this.head
    // The second name is the former one, kept for a release.
    for (const name of ['eth_rpc_head_number', 'head_number']) {
      new Gauge({
        name,
        help: 'The newest block.',
        registers,
        collect() {
          this.set(head()?.number ?? 0)
        },
      })
    }
    new Gauge({
      name: 'head_age_seconds',
      help: 'Age of the newest block.',
      registers,
      collect() {
        const block = head()
        if (block) this.set(Math.max(0, Date.now() / 1000 - timestampOf(block)))
      },
    })
  }
}
