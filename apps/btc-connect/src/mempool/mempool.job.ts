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
    this.jobs.runForever(WORDS, (persistence) => this.run(persistence))
  }

  private async run(persistence: Retrier): Promise<void> {
    const { signal } = persistence
    const bell = this.events.bell('block', 'transaction')
    while (!signal.aborted) {
      const mempool = await persistence.attempt(() => this.mempool.begin(signal))
      if (mempool) await this.follow(mempool, persistence, bell)
    }
  }

  private async follow(mempool: MempoolFollower, persistence: Retrier, bell: Signal): Promise<void> {
    const until = AbortSignal.any([mempool.lease.signal, persistence.signal])
    while (!until.aborted) {
      const begun = performance.now()
      await persistence.attempt(() => mempool.sync())
      await delay(Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (performance.now() - begun)), undefined, { signal: until }).catch(() => {})
      await bell.wait(POLL_MS, until)
    }
    await mempool.lease.release()
  }
}
