import { Injectable } from '@nestjs/common'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { HeadFeed } from '../heads/head-feed.js'

const KEPT = 20_000
/** After the last question this process goes on listening, for the next may come soon. */
const IDLE_MS = 5 * 60_000

interface ReceivedHash {
  readonly hash: string
  readonly at: number
}

/** The pending transactions that this process has heard of lately; it listens while somebody asks. */
@Injectable()
export class PendingWindow {
  private received: ReceivedHash[] = []
  private stopListening?: () => void
  private idle?: NodeJS.Timeout

  constructor(
    private readonly feed: HeadFeed,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onDrain(() => this.stop())
  }

  /** Those heard of after this time, in that order. */
  since(time: number): readonly string[] {
    this.listen()
    const first = this.received.findIndex(({ at }) => at > time)
    return first === -1 ? [] : this.received.slice(first).map(({ hash }) => hash)
  }

  /** Begins to listen, and goes on for a while. */
  listen(): void {
    this.stopListening ??= this.feed.onPending((hashes) => this.take(hashes))
    clearTimeout(this.idle)
    this.idle = setTimeout(() => this.stop(), IDLE_MS).unref()
  }

  private take(hashes: readonly string[]): void {
    const at = Date.now()
    for (const hash of hashes) this.received.push({ hash, at })
    if (this.received.length > 2 * KEPT) this.received = this.received.slice(-KEPT)
  }

  private stop(): void {
    clearTimeout(this.idle)
    this.stopListening?.()
    this.stopListening = undefined
    this.received = []
  }
}
