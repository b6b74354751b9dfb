import { setTimeout as delay } from 'node:timers/promises'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import type { Bell } from '@trestle/runtime/bell'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Persistence } from '@trestle/runtime/persistence'
import { NodeEvents } from '../node/node-events.service.js'
import { type FollowedMempool, MempoolService } from './mempool.service.js'

const LOOK_MS = 1_000
/** After a look it rests this many times as long as the look took: a mempool that is slow to read is read less often. */
const REST = 4
const LEAST_REST_MS = 50

/** Follows the node's mempool while it is ours to write. */
@Injectable()
export class MempoolJob implements OnApplicationBootstrap {
  private readonly stop = new AbortController()
  private running?: Promise<void>
  private readonly persistence: Persistence

  constructor(
    private readonly mempool: MempoolService,
    private readonly events: NodeEvents,
    logger: Logger,
    lifecycle: Lifecycle,
  ) {
    const words = { fails: 'the mempool cannot be followed', again: 'the mempool is followed again' }
    this.persistence = new Persistence(logger, this.stop.signal, words)
    lifecycle.onDrain(() => {
      this.stop.abort()
      return this.running
    })
  }

  onApplicationBootstrap(): void {
    this.running = this.run()
  }

  private async run(): Promise<void> {
    const { signal } = this.stop
    const bell = this.events.bell('block', 'transaction')
    while (!signal.aborted) {
      const mempool = await this.persistence.attempt(() => this.mempool.begin(signal))
      if (mempool) await this.follow(mempool, bell)
    }
  }

  private async follow(mempool: FollowedMempool, bell: Bell): Promise<void> {
    const until = AbortSignal.any([mempool.lease.signal, this.stop.signal])
    while (!until.aborted) {
      const begun = performance.now()
      await this.persistence.attempt(() => mempool.look())
      await delay(Math.max(LEAST_REST_MS, REST * (performance.now() - begun)), undefined, { signal: until }).catch(() => {})
      await bell.wait(LOOK_MS, until)
    }
    await mempool.lease.release()
  }
}
