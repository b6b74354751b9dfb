import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ChainBlock, ChainChange } from './followed-chain.js'
import { timestampOf } from './header.js'

/** The chain we follow, as metrics. */
@Injectable()
export class HeadMetricsService {
  private head?: ChainBlock
  private readonly reorgs: Counter
  private readonly depths: Histogram
  private readonly restarts: Counter
  private readonly lostLogs: Counter
  private readonly leads: Gauge<'upstream'>
  private readonly strangers: Gauge<'upstream'>

  constructor({ registry }: Metrics) {
    const registers = [registry]
    this.reorgs = new Counter({ name: 'head_reorgs_total', help: 'How often blocks left the chain.', registers })
    this.restarts = new Counter({ name: 'head_restarts_total', help: 'How often a gap was too wide to fill.', registers })
    this.lostLogs = new Counter({ name: 'head_logs_lost_total', help: 'Blocks whose logs no upstream told in time.', registers })
    this.depths = new Histogram({
      name: 'head_reorg_depth',
      help: 'Blocks that left the chain at once.',
      buckets: [1, 2, 3, 5, 10, 20, 50, 100],
      registers,
    })
    this.leads = new Gauge({ name: 'head_lead', help: '1 for the upstream whose chain is ours.', labelNames: ['upstream'], registers })
    this.strangers = new Gauge({
      name: 'head_wrong_chain',
      help: '1 for an upstream that is of another chain.',
      labelNames: ['upstream'],
      registers,
    })
    this.addGauges(registers)
  }

  headChanged({ removed, added, resetFrom }: ChainChange, head: ChainBlock | undefined): void {
    if (resetFrom && this.head) this.restarts.inc()
    // Where a chain only goes back nothing comes in its place.
    if (removed.length > 0) {
      this.reorgs.inc()
      this.depths.observe(removed.length)
    }
    this.head = added.at(-1) ?? head
  }

  primaryChanged(before: string | undefined, now: string | undefined): void {
    if (before) this.leads.set({ upstream: before }, 0)
    if (now) this.leads.set({ upstream: now }, 1)
  }

  chainChecked(upstream: string, isOfWrongChain: boolean): void {
    this.strangers.set({ upstream }, isOfWrongChain ? 1 : 0)
  }

  logsLost(): void {
    this.lostLogs.inc()
  }

  private addGauges(registers: Registry[]): void {
    const head = () => this.head
    new Gauge({
      name: 'head_number',
      help: 'The newest block.',
      registers,
      collect() {
        this.set(head()?.number ?? 0)
      },
    })
    new Gauge({
      name: 'head_age_seconds',
      help: 'Since the newest block was made.',
      registers,
      collect() {
        const block = head()
        if (block) this.set(Math.max(0, Date.now() / 1000 - timestampOf(block)))
      },
    })
  }
}
