import { setTimeout as delay } from 'node:timers/promises'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import type { Bell } from '@trestle/runtime/bell'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { NodeEvents } from '../node/node-events.service.js'
import { type FollowedMempool, MempoolService } from './mempool.service.js'

const LOOK_MS = 1_000
const RETRY_MS = 2_000
/** After a look it rests this many times as long as the look took: a mempool that is slow to read is read less often. */
const REST = 4
const LEAST_REST_MS = 50

/** Follows the node's mempool while it is ours to write. */
@Injectable()
export class MempoolJob implements OnApplicationBootstrap {
  private readonly stop = new AbortController()
  private running?: Promise<void>
  private failure?: string

  constructor(
    private readonly mempool: MempoolService,
    private readonly events: NodeEvents,
    private readonly logger: Logger,
    lifecycle: Lifecycle,
  ) {
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
      const mempool = await this.attempt(() => this.mempool.begin(signal))
      if (mempool) await this.follow(mempool, bell)
    }
  }

  private async follow(mempool: FollowedMempool, bell: Bell): Promise<void> {
    const until = AbortSignal.any([mempool.lease.signal, this.stop.signal])
    while (!until.aborted) {
      const begun = performance.now()
      await this.attempt(() => mempool.look())
      await delay(Math.max(LEAST_REST_MS, REST * (performance.now() - begun)), undefined, { signal: until }).catch(() => {})
      await bell.wait(LOOK_MS, until)
    }
    await mempool.lease.release()
  }

  /** A failure is tried again in a while, and told once for as long as it lasts. */
  private async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work()
      if (this.failure) this.logger.info('the mempool is followed again')
      this.failure = undefined
      return result
    } catch (error) {
      if (this.stop.signal.aborted) return undefined
      const { message } = error as Error
      if (message !== this.failure) this.logger.warn({ err: error }, 'the mempool cannot be followed')
      this.failure = message
      await delay(RETRY_MS, undefined, { signal: this.stop.signal }).catch(() => {})
      return undefined
    }
  }
}
