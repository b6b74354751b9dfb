import { Injectable } from '@nestjs/common'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { HeadFeed } from '../heads/head-feed.js'

const MAX_KEPT = 20_000
/** This process listens so long after the last request, as the next may come soon. */
const IDLE_MS = 5 * 60_000

interface ReceivedHash {
  readonly hash: string
  readonly at: number
}

/** The pending transactions that this process has received lately. It listens while there are requests for them. */
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

  /** Those received after this time, in order. */
  since(time: number): readonly string[] {
    this.listen()
    const first = this.received.findIndex(({ at }) => at > time)
    return first === -1 ? [] : this.received.slice(first).map(({ hash }) => hash)
  }

  /** Listens from now on, for a while. */
  listen(): void {
    this.stopListening ??= this.feed.onPending((hashes) => this.take(hashes))
    clearTimeout(this.idle)
    this.idle = setTimeout(() => this.stop(), IDLE_MS).unref()
  }

  private take(hashes: readonly string[]): void {
    const at = Date.now()
    for (const hash of hashes) this.received.push({ hash, at })
    if (this.received.length > 2 * MAX_KEPT) this.received = this.received.slice(-MAX_KEPT)
  }

  private stop(): void {
    clearTimeout(this.idle)
    this.stopListening?.()
    this.stopListening = undefined
    this.received = []
  }
}
