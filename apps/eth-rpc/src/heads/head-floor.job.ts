import { setTimeout as delay } from 'node:timers/promises'
import { Injectable } from '@nestjs/common'
import { NatsConnection } from '@trestle/messaging/nats-connection'
import { Logger } from '@trestle/runtime/logger'
import { HeadFeed } from './head-feed.js'
import { HeadFloorClient } from './head-floor.client.js'

const CONNECT_MS = 1_000
/** As long as a lower head may be a passing state. */
const MAX_WAIT_MS = 10_000
const CHECK_MS = 20
const MIN_PAUSE_MS = 1_000

/** A process that starts does not serve before it is as far as the deployment has been: `eth_blockNumber` would go back. */
@Injectable()
export class HeadFloorJob {
  private isWriting = false

  constructor(
    private readonly feed: HeadFeed,
    private readonly client: HeadFloorClient,
    private readonly connection: NatsConnection,
    private readonly logger: Logger,
  ) {
    feed.onChange(() => void this.report())
  }

  /** Settles once the chain has reached it, or has had its time: it may have been set back. */
  async reached(): Promise<void> {
    const floor = await this.read()
    if (floor === undefined || this.isAt(floor)) return
    this.logger.info({ floor, head: this.feed.chain.head?.number }, 'waiting for a block that callers know already')
    if (!(await waitUntil(() => this.isAt(floor), MAX_WAIT_MS)))
      this.logger.warn({ floor, head: this.feed.chain.head?.number }, 'no upstream has a block that callers know already')
  }

  private async read(): Promise<number | undefined> {
    await waitUntil(() => this.connection.client !== undefined, CONNECT_MS)
    return this.client.read().catch(() => undefined)
  }

  private isAt(floor: number): boolean {
    return (this.feed.chain.head?.number ?? -1) >= floor
  }

  /** Chains that are fast are reported once a second. */
  private async report(): Promise<void> {
    if (this.isWriting) return
    this.isWriting = true
    const { head } = this.feed.chain
    if (head) await this.client.raise(head.number).catch(() => undefined)
    await delay(MIN_PAUSE_MS, undefined, { ref: false })
    this.isWriting = false
    if (head && this.feed.chain.head !== head) void this.report()
  }
}

async function waitUntil(holds: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (!holds() && performance.now() < end) await delay(CHECK_MS)
  return holds()
}
