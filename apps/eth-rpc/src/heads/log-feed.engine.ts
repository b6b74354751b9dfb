import { setTimeout as delay } from 'node:timers/promises'
import type { EvmNodeClient } from './evm-node.client.js'
import type { ChainBlock, ChainChange, FollowedChain } from './followed-chain.js'
import type { BlockLogs, LogEntry } from './head-feed.js'
import { mayHaveLogs } from './header.js'

interface LogFeedOptions {
  readonly chain: Pick<FollowedChain, 'byHash'>
  /** Those on our chain, best first. */
  readonly nodes: () => readonly Pick<EvmNodeClient, 'logs'>[]
  readonly onLogs: (logs: BlockLogs) => void
  /** No node has given the logs of a block in time. */
  readonly onLost: (block: ChainBlock) => void
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
/** After so many empty answers a block counts as having no logs, whatever its bloom. */
const MAX_EMPTY_ANSWERS = 3

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
    return known ?? (await this.ask(hash))?.found
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
    for (let empty = 0; !signal.aborted && this.options.chain.byHash(block.hash); ) {
      const answer = await this.ask(block.hash)
      if (answer) empty++
      if (answer && (answer.found.length > 0 || empty === MAX_EMPTY_ANSWERS)) return answer.found
      if (performance.now() - begun > MAX_WAIT_MS || this.steps.length > MAX_STEPS) {
        this.options.onLost(block)
        return undefined
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
    // It was disconnected before its logs were reported.
    return undefined
  }

  /** Undefined when no node answers. */
  private async ask(hash: string): Promise<{ readonly found: readonly LogEntry[] } | undefined> {
    let answer: { readonly found: readonly LogEntry[] } | undefined
    for (const node of this.options.nodes()) {
      try {
        answer = { found: await node.logs(hash) }
        if (answer.found.length > 0) return answer
      } catch {
        // The next one may know.
      }
    }
    return answer
  }
}

function keep(remembered: Map<string, readonly LogEntry[]>, hash: string, logs: readonly LogEntry[]): void {
  remembered.delete(hash)
  remembered.set(hash, logs)
  const [oldest] = remembered.keys()
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest)
}
