import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@trestle/runtime/logger'
import type { WorkerReportKind } from './message.js'
import { WorkerHandle, type WorkerSources } from './worker-handle.engine.js'

interface WorkerPoolOptions extends WorkerSources {
  readonly count: number
  readonly logger: Logger
  /** Of the workers, where it is another than this process's. */
  readonly environment?: NodeJS.ProcessEnv
}

const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/**
 * Nearly all that a call allocates is garbage when it is answered: V8 would let 32 MB of it pile up, twice, before it looks. At 8 MB a loaded
 * worker is 80 to 180 MB smaller, and its collections take no more time together.
 */
const YOUNG_GENERATION = '--max-semi-space-size=8'
/** A worker that lived so long did not fail at its start. */
const MIN_LIFE_MS = 60_000

/** A fixed number of workers; one that dies is replaced. */
export class WorkerPool {
  private readonly handles = new Set<WorkerHandle>()
  private readonly stopping = new AbortController()
  private readonly slots: Promise<void>[] = []

  constructor(private readonly options: WorkerPoolOptions) {}

  start(): void {
    cluster.setupPrimary({ serialization: 'advanced', execArgv: [...process.execArgv, YOUNG_GENERATION] })
    for (let slot = 0; slot < this.options.count; slot++) this.slots.push(this.keep())
  }

  get workers(): readonly WorkerHandle[] {
    return [...this.handles]
  }

  /** The reports of all that serve and answer. */
  async reports(kind: WorkerReportKind): Promise<unknown[]> {
    const reports = await Promise.all(this.workers.filter(({ isUp }) => isUp).map((worker) => worker.report(kind)))
    return reports.filter((report) => report !== undefined)
  }

  /** Settles when all have finished what they had under way. */
  async stop(limitMs: number): Promise<void> {
    this.stopping.abort()
    for (const worker of this.handles) worker.stop()
    const killTimer = setTimeout(() => this.kill(), limitMs)
    await Promise.all(this.slots)
    clearTimeout(killTimer)
  }

  /** At once. */
  kill(): void {
    this.stopping.abort()
    for (const worker of this.handles) worker.kill('SIGKILL')
  }

  /** Runs one worker after another. */
  private async keep(): Promise<void> {
    const { signal } = this.stopping
    let pauseMs = MIN_PAUSE_MS
    while (!signal.aborted) {
      const worker = this.fork()
      await worker.exited
      this.handles.delete(worker)
      if (signal.aborted) return
      if (performance.now() - worker.startedAt > MIN_LIFE_MS) pauseMs = MIN_PAUSE_MS
      this.options.logger.error({ pid: worker.pid, pauseMs }, 'a worker died and is replaced')
      await delay(pauseMs, undefined, { signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
    }
  }

  private fork(): WorkerHandle {
    const worker = new WorkerHandle(cluster.fork(this.options.environment), this.options, ({ pid }) => {
      this.options.logger.error({ pid }, 'a worker does not read its messages, and is killed')
      worker.kill('SIGKILL')
    })
    this.handles.add(worker)
    return worker
  }
}
