import type { CallSignal } from '../call-signal.js'
import type { HeadFeed } from './head-feed.js'

interface Waiting {
  readonly number: number
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
  reach(number: number, ms: number, signal?: CallSignal): Promise<boolean> {
    if (this.has(number)) return Promise.resolve(true)
    if (signal?.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const end = (hasCome: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leaving)
        this.waiting = this.waiting.filter((each) => each !== entry)
        resolve(hasCome)
      }
      const entry: Waiting = { number, end }
      const leaving = { handleEvent: () => end(false) }
      const timer = setTimeout(() => end(this.has(number)), ms)
      signal?.addEventListener('abort', leaving, { once: true })
      this.waiting.push(entry)
      this.hasten()
    })
  }

  private has(number: number): boolean {
    return (this.feed.chain.head?.number ?? -1) >= number
  }

  private check(): void {
    for (const { number, end } of this.waiting) if (this.has(number)) end(true)
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
