import type { Worker } from 'node:cluster'
import { withTimeout } from '@trestle/runtime/with-timeout'
import type { BudgetBook } from '../upstreams/budgets/budget-book.js'
import { BudgetExchange } from './budget-exchange.engine.js'
import { Channel } from './channel.engine.js'
import { HeadBroadcast, type TrackedFeed } from './head-broadcast.engine.js'
import type { ToPrimary, ToWorker, WorkerReportKind } from './message.js'

const REPORT_MS = 1_500

/** What the primary process knows, and its workers need. */
export interface WorkerSources {
  readonly feed: TrackedFeed
  readonly budgets?: BudgetBook
}

/** One worker, as the primary process sees it. */
export class WorkerHandle {
  /** It serves. */
  isUp = false
  readonly exited: Promise<void>
  readonly startedAt = performance.now()
  private readonly channel: Channel<ToWorker, ToPrimary>
  private readonly broadcast: HeadBroadcast
  private readonly requested = new Map<number, (report: unknown) => void>()
  private nextId = 1

  constructor(
    private readonly worker: Worker,
    { feed, budgets }: WorkerSources,
    onFull: (handle: WorkerHandle) => void,
  ) {
    this.channel = new Channel(worker, () => onFull(this))
    this.broadcast = new HeadBroadcast(feed, this.channel)
    const exchange = budgets && new BudgetExchange(budgets, this.channel)
    this.channel.onMessage((message) => {
      if (message.type === 'up') this.isUp = true
      if (message.type === 'reported') this.requested.get(message.id)?.(message.report)
    })
    this.exited = new Promise((resolve) => worker.once('exit', () => resolve()))
    // Nothing that is sent is read any more.
    worker.once('disconnect', () => {
      this.broadcast.end()
      exchange?.end()
    })
  }

  get pid(): number | undefined {
    return this.worker.process.pid
  }

  /** Undefined where it does not answer in time. */
  async report(kind: WorkerReportKind): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const id = this.nextId++
    this.requested.set(id, resolve)
    this.channel.send({ type: 'report', id, kind })
    try {
      return await withTimeout(REPORT_MS, () => promise)
    } catch {
      return undefined
    } finally {
      this.requested.delete(id)
    }
  }

  /** Lets it finish what is under way. */
  stop(): void {
    // While it starts it has nothing under way, and does not listen yet.
    if (this.isUp) this.channel.send({ type: 'stop' })
    else this.kill('SIGTERM')
  }

  kill(signal: NodeJS.Signals): void {
    this.worker.process.kill(signal)
  }
}
