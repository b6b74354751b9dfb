import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@trestle/runtime/logger'
import type { TrackedFeed } from './head-broadcast.engine.js'
import type { WorkerReportKind } from './message.js'
import { WorkerHandle } from './worker-handle.engine.js'

export interface WorkerPoolOptions {
  readonly count: number
  readonly feed: TrackedFeed
  readonly logger: Logger
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** One that lived so long did not fail for how it began. */
const LIVED_MS = 60_000

/** As many workers as there shall be; one that dies is replaced. */
export class WorkerPool {
  private readonly handles = new Set<WorkerHandle>()
  private readonly stopping = new AbortController()
  private readonly places: Promise<void>[] = []

  constructor(private readonly options: WorkerPoolOptions) {}

  start(): void {
    cluster.setupPrimary({ serialization: 'advanced' })
    for (let place = 0; place < this.options.count; place++) this.places.push(this.keep())
  }

  get workers(): readonly WorkerHandle[] {
    return [...this.handles]
  }

  /** Of all that serve and answer. */
  async ask(about: WorkerReportKind): Promise<unknown[]> {
    const answers = await Promise.all(this.workers.filter(({ isUp }) => isUp).map((worker) => worker.ask(about)))
    return answers.filter((answer) => answer !== undefined)
  }

  /** Settles when all have finished what they had under way. */
  async stop(limitMs: number): Promise<void> {
    this.stopping.abort()
    for (const worker of this.handles) worker.stop()
    const impatience = setTimeout(() => this.kill(), limitMs)
    await Promise.all(this.places)
    clearTimeout(impatience)
  }

  /** At once. */
  kill(): void {
    this.stopping.abort()
    for (const worker of this.handles) worker.kill('SIGKILL')
  }

  /** One worker after another in one place. */
  private async keep(): Promise<void> {
    const { signal } = this.stopping
    let pauseMs = FIRST_PAUSE_MS
    while (!signal.aborted) {
      const worker = this.fork()
      await worker.exited
      this.handles.delete(worker)
      if (signal.aborted) return
      if (performance.now() - worker.startedAt > LIVED_MS) pauseMs = FIRST_PAUSE_MS
      this.options.logger.error({ pid: worker.pid, pauseMs }, 'a worker died and is replaced')
      await delay(pauseMs, undefined, { signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  private fork(): WorkerHandle {
    const worker = new WorkerHandle(cluster.fork(), this.options.feed, ({ pid }) => {
      this.options.logger.error({ pid }, 'a worker does not read what it is told, and is ended')
      worker.kill('SIGKILL')
    })
    this.handles.add(worker)
    return worker
  }
}
