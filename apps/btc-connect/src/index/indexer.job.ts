import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { LeaseLost } from '@trestle/database/lease'
import { messageOf } from '@trestle/problem/thrown'
import { Jobs } from '@trestle/runtime/jobs'
import { Logger } from '@trestle/runtime/logger'
import { ChainMoved } from '../node/node-errors.js'
import { NodeEvents } from '../node/node-events.engine.js'
import { IndexerService } from './indexer.service.js'

/** Between two polls of a node that does not publish its blocks. */
const POLL_MS = 1_000
const RETRY_MS = 2_000
const MOVED_MS = 100
/** A chain that moves soon stands still; a node that contradicts itself never does. */
const MAX_MOVES = 30

/** Writes the index while this process holds the lease. */
@Injectable()
export class IndexerJob implements OnApplicationBootstrap {
  private failure?: string
  /** How often in a row the node's chain changed while it was read. */
  private moves = 0

  constructor(
    private readonly indexer: IndexerService,
    private readonly events: NodeEvents,
    private readonly logger: Logger,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.run((stop) => this.run(stop))
  }

  private async run(stop: AbortSignal): Promise<void> {
    const blocks = this.events.signalOn('block')
    const ended = once(stop, 'abort').then(() => this.indexer.end())
    while (!stop.aborted) {
      const run = await this.attempt(stop, () => this.indexer.begin(stop))
      while (run && !run.signal.aborted) {
        const more = await this.attempt(stop, () => this.indexer.step(run))
        if (more === false) await blocks.wait(POLL_MS, run.signal)
      }
    }
    await ended
  }

  /** Retries a failure after a pause, and logs it once while it lasts. */
  private async attempt<T>(stop: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work()
      if (this.failure) this.logger.info('the index is being written again')
      this.failure = undefined
      this.moves = 0
      return result
    } catch (error) {
      if (stop.aborted) return undefined
      this.moves = error instanceof ChainMoved ? this.moves + 1 : 0
      const isMoving = this.moves > 0 && this.moves < MAX_MOVES
      if (isMoving) this.logger.debug({ err: error }, 'the chain of the node changed while it was read')
      else await this.report(error)
      await delay(isMoving ? MOVED_MS : RETRY_MS, undefined, { signal: stop }).catch(() => {})
      return undefined
    }
  }

  private async report(error: unknown): Promise<void> {
    if (error instanceof LeaseLost) return this.logger.warn({ err: error }, 'another process holds the lease of the index now')
    const message = messageOf(error)
    if (message !== this.failure) this.logger.warn({ err: error }, 'the index cannot be written')
    this.failure = message
    // Nowhere to report it while Postgres is unavailable.
    await this.indexer.report(error).catch(() => {})
  }
}
