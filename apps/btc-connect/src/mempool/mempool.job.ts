import { setTimeout as delay } from 'node:timers/promises'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import type { Retrier } from '@trestle/runtime/retrier'
import type { Signal } from '@trestle/runtime/signal'
import { NodeEvents } from '../node/node-events.engine.js'
import { type MempoolFollower, MempoolService } from './mempool.service.js'

const POLL_MS = 1_000
/** A poll is followed by a pause of so many times its duration: a mempool that is slow to read is read less often. */
const PAUSE_FACTOR = 4
const MIN_PAUSE_MS = 50

const WORDS = { failure: 'cannot follow the mempool of the node', recovery: 'following the mempool of the node again' }

/** Follows the node's mempool while this process holds the lease. */
@Injectable()
export class MempoolJob implements OnApplicationBootstrap {
  constructor(
    private readonly mempool: MempoolService,
    private readonly events: NodeEvents,
    private readonly jobs: Jobs,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.runForever(WORDS, (retrier) => this.run(retrier))
  }

  private async run(retrier: Retrier): Promise<void> {
    const { signal } = retrier
    const changes = this.events.signalOn('block', 'transaction')
    while (!signal.aborted) {
      const mempool = await retrier.attempt(() => this.mempool.begin(signal))
      if (mempool) await this.follow(mempool, retrier, changes)
    }
  }

  private async follow(mempool: MempoolFollower, retrier: Retrier, changes: Signal): Promise<void> {
    const until = AbortSignal.any([mempool.lease.signal, retrier.signal])
    while (!until.aborted) {
      const begun = performance.now()
      await retrier.attempt(() => mempool.sync())
      await delay(Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (performance.now() - begun)), undefined, { signal: until }).catch(() => {})
      await changes.wait(POLL_MS, until)
    }
    await mempool.lease.release()
  }
}
