import type { Worker } from 'node:cluster'
import { within } from '@trestle/runtime/within'
import { Channel } from './channel.engine.js'
import { HeadBroadcast, type TrackedFeed } from './head-broadcast.engine.js'
import type { ToPrimary, ToWorker, WorkerReportKind } from './message.js'

const ANSWER_MS = 1_500

/** One worker, as the primary deals with it. */
export class WorkerHandle {
  /** It serves. */
  isUp = false
  readonly exited: Promise<void>
  readonly startedAt = performance.now()
  private readonly channel: Channel<ToWorker, ToPrimary>
  private readonly broadcast: HeadBroadcast
  private readonly asked = new Map<number, (answer: unknown) => void>()
  private nextId = 1

  constructor(
    private readonly worker: Worker,
    feed: TrackedFeed,
    onFull: (handle: WorkerHandle) => void,
  ) {
    this.channel = new Channel(worker, () => onFull(this))
    this.broadcast = new HeadBroadcast(feed, this.channel)
    this.channel.onMessage((message) => {
      if (message.type === 'up') this.isUp = true
      if (message.type === 'answer') this.asked.get(message.id)?.(message.answer)
    })
    this.exited = new Promise((resolve) => worker.once('exit', () => resolve()))
    // Nobody reads any more what is sent.
    worker.once('disconnect', () => this.broadcast.end())
  }

  get pid(): number | undefined {
    return this.worker.process.pid
  }

  /** Undefined from one that does not answer in time. */
  async ask(about: WorkerReportKind): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const id = this.nextId++
    this.asked.set(id, resolve)
    this.channel.send({ type: 'ask', id, about })
    try {
      return await within(ANSWER_MS, () => promise)
    } catch {
      return undefined
    } finally {
      this.asked.delete(id)
    }
  }

  /** In order: what is under way is finished. */
  stop(): void {
    // While it starts it has nothing under way, and nobody in it listens yet.
    if (this.isUp) this.channel.send({ type: 'stop' })
    else this.kill('SIGTERM')
  }

  kill(signal: NodeJS.Signals): void {
    this.worker.process.kill(signal)
  }
}
