import { setTimeout as delay } from 'node:timers/promises'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Jobs } from '@trestle/runtime/jobs'
import type { Retrier } from '@trestle/runtime/retrier'
import type { Signal } from '@trestle/runtime/signal'
import { NodeEvents } from '../node/node-events.engine.js'
import { type MempoolFollower, MempoolService } from './mempool.service.js'

const LOOK_MS = 1_000
/** After a look it rests this many times as long as the look took: a mempool that is slow to read is read less often. */
const REST = 4
const LEAST_REST_MS = 50

const WORDS = { failure: 'the mempool cannot be followed', recovery: 'the mempool is followed again' }

/** Follows the node's mempool while it is ours to write. */
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
      await persistence.attempt(() => mempool.look())
      await delay(Math.max(LEAST_REST_MS, REST * (performance.now() - begun)), undefined, { signal: until }).catch(() => {})
      await bell.wait(LOOK_MS, until)
    }
    await mempool.lease.release()
  }
}
