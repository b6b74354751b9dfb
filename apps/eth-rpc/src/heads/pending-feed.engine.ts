import { setTimeout as delay } from 'node:timers/promises'
import type { HeadSource } from './head-source.engine.js'
import { RecentHashes } from './recent-hashes.js'

type Source = Pick<HeadSource, 'name' | 'isHealthy' | 'node' | 'socket'>

interface PendingFeedOptions {
  /** Best first. */
  readonly sources: () => readonly Source[]
  readonly pollMs: number
  readonly onPending: (hashes: readonly string[]) => void
}

/** Hashes that arrive within it are reported together. */
const GATHER_MS = 50
const CHECK_MS = 250
/** An upstream that failed is not used for so long, where there are others. */
const REST_MS = 10_000
/** Chains without a public pool refuse, all of them. */
const REFUSED_PAUSE_MS = 5_000

/** Pending transactions, from one upstream at a time: the next when one fails. */
export class PendingFeed {
  private readonly reported = new RecentHashes()
  private readonly resting = new Map<string, number>()
  private gathered: string[] = []
  private timer?: NodeJS.Timeout
  private run?: AbortController

  constructor(private readonly options: PendingFeedOptions) {}

  start(): void {
    this.run = new AbortController()
    void this.work(this.run.signal)
  }

  stop(): void {
    this.run?.abort()
    clearTimeout(this.timer)
    this.timer = undefined
    this.gathered = []
  }

  private async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const source = this.choose()
      const isResting = source !== undefined && this.isResting(source)
      try {
        if (source) await this.listen(source, signal)
      } catch {
        // Its HeadSource decides whether it is healthy.
      }
      if (source) this.resting.set(source.name, performance.now() + REST_MS)
      await pause(isResting ? REFUSED_PAUSE_MS : CHECK_MS, signal)
    }
  }

  private choose(): Source | undefined {
    const sound = this.options.sources().filter((source) => source.isHealthy)
    return sound.find((source) => !this.isResting(source)) ?? sound[0]
  }

  private isResting({ name }: Source): boolean {
    return (this.resting.get(name) ?? 0) > performance.now()
  }

  /** Settles, or fails, when another upstream is to be used. */
  private async listen(source: Source, signal: AbortSignal): Promise<void> {
    const subscription = await this.subscribe(source)
    if (subscription === undefined) return this.poll(source, signal)
    while (source.isHealthy && source.socket?.has(subscription) && !signal.aborted) await pause(CHECK_MS, signal)
    await source.socket?.unsubscribe(subscription)
  }

  private async subscribe({ socket }: Source): Promise<string | undefined> {
    if (!socket?.isOpen) return undefined
    return socket.subscribe('newPendingTransactions', (hash) => this.collect([hash])).catch(() => undefined)
  }

  private async poll(source: Source, signal: AbortSignal): Promise<void> {
    const { node } = source
    const filter = await node.newPendingFilter()
    while (source.isHealthy && !signal.aborted) {
      await pause(this.options.pollMs, signal)
      this.collect(await node.newlyPending(filter))
    }
    await node.uninstall(filter)
  }

  private collect(hashes: readonly unknown[]): void {
    for (const hash of hashes) if (typeof hash === 'string' && this.reported.add(hash)) this.gathered.push(hash)
    if (this.gathered.length > 0) this.timer ??= setTimeout(() => this.flush(), GATHER_MS)
  }

  private flush(): void {
    const { gathered } = this
    this.gathered = []
    this.timer = undefined
    this.options.onPending(gathered)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => {})
}
