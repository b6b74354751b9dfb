import { setTimeout as delay } from 'node:timers/promises'
import type { EvmNodeClient } from './evm-node.client.js'
import type { ChainBlock, ChainChange, FollowedChain } from './followed-chain.js'
import { quorumOf } from './head-claim.js'
import type { BlockLogs, LogEntry } from './head-feed.js'
import { mayHaveLogs } from './header.js'

interface LogFeedOptions {
  readonly chain: Pick<FollowedChain, 'byHash'>
  /** Those on our chain, best first. */
  readonly nodes: () => readonly Pick<EvmNodeClient, 'logs'>[]
  /** How many nodes could know the logs of our newest blocks, also those that are on another branch. */
  readonly voices: () => number
  readonly onLogs: (logs: BlockLogs) => void
  /** No node has given the logs of a block in time. */
  readonly onLost: (block: ChainBlock) => void
}

interface Search {
  readonly found: readonly LogEntry[]
  /** So many nodes have none. */
  readonly empty: number
}

interface BlockStep {
  readonly block: ChainBlock
  readonly removed: boolean
}

/** The logs of so many blocks are kept; a reorganization is hardly ever deeper. */
const REMEMBERED = 128
const PAUSE_MS = 100
/** The logs of one block may hold up those of the next for so long, ... */
const MAX_WAIT_MS = 60_000
/** ... unless so many wait by then. */
const MAX_STEPS = 256
/** When most nodes have said so often that a block has no logs, it has none, whatever its bloom. */
const EMPTY_SEARCHES = 3

/** The logs of every block that is connected or disconnected, in the order of the changes. */
export class LogFeed {
  private readonly remembered = new Map<string, readonly LogEntry[]>()
  /** Blocks whose logs were not reported: nor is their removal. */
  private readonly unreported = new Set<string>()
  private steps: BlockStep[] = []
  private run = new AbortController()
  private isRunning = false

  constructor(private readonly options: LogFeedOptions) {}

  take({ removed, added }: ChainChange): void {
    for (const block of removed) this.steps.push({ block, removed: true })
    for (const block of added) this.steps.push({ block, removed: false })
    if (!this.isRunning) void this.work(this.run.signal)
  }

  /** The last listener has left. */
  stop(): void {
    this.run.abort()
    this.run = new AbortController()
    this.isRunning = false
    this.steps = []
    this.remembered.clear()
    this.unreported.clear()
  }

  private async work(signal: AbortSignal): Promise<void> {
    this.isRunning = true
    for (let step = this.steps.shift(); step; step = this.steps.shift()) {
      const logs = step.removed ? await this.recall(step.block) : await this.learn(step.block, signal)
      if (signal.aborted) return
      if (logs) this.options.onLogs({ ...step, logs })
    }
    this.isRunning = false
  }

  private async recall({ hash }: ChainBlock): Promise<readonly LogEntry[] | undefined> {
    if (this.unreported.delete(hash)) return undefined
    const known = this.remembered.get(hash)
    // From before the first listener: some nodes still know them.
    if (known) return known
    const { found, empty } = await this.ask(hash)
    return found.length > 0 || empty > 0 ? found : undefined
  }

  private async learn(block: ChainBlock, signal: AbortSignal): Promise<readonly LogEntry[] | undefined> {
    const logs = mayHaveLogs(block) ? await this.fetch(block, signal) : []
    // The same block may be connected again.
    this.unreported.delete(block.hash)
    if (logs) keep(this.remembered, block.hash, logs)
    else this.unreported.add(block.hash)
    return logs
  }

  private async fetch(block: ChainBlock, signal: AbortSignal): Promise<readonly LogEntry[] | undefined> {
    const begun = performance.now()
    for (let searches = 0; !signal.aborted && this.options.chain.byHash(block.hash); ) {
      const { found, empty } = await this.ask(block.hash)
      // The only node on our branch may be the one that has lost them.
      if (empty >= quorumOf(this.options.voices())) searches++
      if (found.length > 0 || searches === EMPTY_SEARCHES) return found
      if (performance.now() - begun > MAX_WAIT_MS || this.steps.length > MAX_STEPS) {
        this.options.onLost(block)
        return undefined
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
    // It was disconnected before its logs were reported.
    return undefined
  }

  private async ask(hash: string): Promise<Search> {
    let empty = 0
    for (const node of this.options.nodes()) {
      try {
        const found = await node.logs(hash)
        if (found.length > 0) return { found, empty }
        empty++
      } catch {
        // The next one may know.
      }
    }
    return { found: [], empty }
  }
}

function keep(remembered: Map<string, readonly LogEntry[]>, hash: string, logs: readonly LogEntry[]): void {
  remembered.delete(hash)
  remembered.set(hash, logs)
  const [oldest] = remembered.keys()
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest)
}
