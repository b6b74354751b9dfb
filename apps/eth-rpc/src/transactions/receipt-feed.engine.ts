import { setTimeout as delay } from 'node:timers/promises'
import { Injectable } from '@nestjs/common'
import type { ChainBlock, ChainChange } from '../heads/followed-chain.js'
import { HeadFeed } from '../heads/head-feed.js'
import { type Listener, Listeners, type Unsubscribe } from '../heads/listeners.js'
import { UpstreamPool } from '../upstreams/upstream-pool.engine.js'
import { knownMethod } from '../upstreams/upstream-request.js'
import { type BlockReceipt, receiptsOf } from './block-receipt.js'

const RECEIPTS = knownMethod('eth_getBlockReceipts')
const MAX_TRIES = 5
const PAUSE_MS = 500
/** Blocks that wait: of more the oldest are left out. */
const MAX_WAITING = 256

/** The receipts of each block that is connected, fetched once for all, while there are listeners. */
@Injectable()
export class ReceiptFeed {
  private readonly listeners = new Listeners<readonly BlockReceipt[]>()
  private waiting: ChainBlock[] = []
  private isWorking = false
  private stopListening?: Unsubscribe

  constructor(
    private readonly feed: HeadFeed,
    private readonly upstreams: UpstreamPool,
  ) {}

  listen(listener: Listener<readonly BlockReceipt[]>): Unsubscribe {
    const remove = this.listeners.add(listener)
    this.stopListening ??= this.feed.onChange((change) => this.take(change))
    return () => {
      remove()
      if (this.listeners.size > 0) return
      this.stopListening?.()
      this.stopListening = undefined
      this.waiting = []
    }
  }

  private take({ added }: ChainChange): void {
    this.waiting = [...this.waiting, ...added].slice(-MAX_WAITING)
    if (!this.isWorking) void this.work()
  }

  private async work(): Promise<void> {
    this.isWorking = true
    for (let block = this.waiting.shift(); block; block = this.waiting.shift()) {
      const receipts = await this.find(block)
      if (receipts && receipts.length > 0) this.listeners.notify(receipts)
    }
    this.isWorking = false
  }

  /** Undefined where the block is no longer ours, or no node has them. */
  private async find({ number, hash }: ChainBlock): Promise<readonly BlockReceipt[] | undefined> {
    for (let tries = 1; tries <= MAX_TRIES && this.feed.chain.byHash(hash); tries++) {
      const outcome = await this.upstreams
        .call({ method: RECEIPTS, paramsJson: JSON.stringify([hash]), block: number })
        .catch(() => undefined)
      const receipts = outcome?.member === 'result' ? receiptsOf(outcome.json.toString(), hash) : undefined
      if (receipts) return receipts
      await delay(PAUSE_MS)
    }
    return undefined
  }
}
