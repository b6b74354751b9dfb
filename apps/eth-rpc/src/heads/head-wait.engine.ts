import type { CallSignal } from '../call-signal.js'
import type { HeadFeed } from './head-feed.js'

/** Any block with that number, or the one with that hash. */
interface AwaitedBlock {
  readonly number: number
  readonly hash?: string
}

interface Waiting extends AwaitedBlock {
  readonly end: (hasCome: boolean) => void
}

/** How often the upstreams are asked for their heads while somebody waits. */
const HASTEN_MS = 250

/** Those who wait until our chain has a block. */
export class HeadWait {
  private waiting: Waiting[] = []
  private timer?: NodeJS.Timeout

  constructor(private readonly feed: Pick<HeadFeed, 'chain' | 'onChange' | 'hasten'>) {
    feed.onChange(() => this.check())
  }

  /** False where it has not come within the time, or the caller has left. */
  reach(block: AwaitedBlock, ms: number, signal?: CallSignal): Promise<boolean> {
    if (this.has(block)) return Promise.resolve(true)
    if (signal?.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const end = (hasCome: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leaving)
        this.waiting = this.waiting.filter((each) => each !== entry)
        resolve(hasCome)
      }
      const entry: Waiting = { ...block, end }
      const leaving = { handleEvent: () => end(false) }
      const timer = setTimeout(() => end(this.has(block)), ms)
      signal?.addEventListener('abort', leaving, { once: true })
      this.waiting.push(entry)
      this.hasten()
    })
  }

  /** Of a block older than those we know nobody can tell. */
  has({ number, hash }: AwaitedBlock): boolean {
    const { chain } = this.feed
    if ((chain.head?.number ?? -1) < number) return false
    return hash === undefined || (chain.at(number)?.hash ?? hash) === hash
  }

  private check(): void {
    for (const waiting of this.waiting) if (this.has(waiting)) waiting.end(true)
  }

  private hasten(): void {
    if (this.timer) return
    this.feed.hasten(Math.max(...this.waiting.map(({ number }) => number)))
    this.timer = setTimeout(() => {
      this.timer = undefined
      if (this.waiting.length > 0) this.hasten()
    }, HASTEN_MS)
  }
}
