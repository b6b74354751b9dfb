import type { FinalityRule } from '@trestle/contracts/chains/chain'
import type { EvmNodeClient } from './evm-node.client.js'
import { agreedNumber, depthOf } from './finality.js'
import type { ChainBlock, ChainFinality, FollowedChain } from './followed-chain.js'

type ReportingNode = Pick<EvmNodeClient, 'tagged'>

interface FinalityOptions {
  readonly chain: FollowedChain
  readonly finality: FinalityRule
  /** Those that are on our chain, the primary upstream first. */
  readonly nodes: () => readonly ReportingNode[]
  readonly onChange: () => void
}

const TAGS = ['safe', 'finalized'] as const
/** Fast chains have several blocks in this time. */
const PAUSE_MS = 1_000
/** The others are asked when the primary upstream reports more than before, and so often: what it reports may stand still for a reason of its own. */
const OTHERS_MS = 30_000

/** Keeps track of which blocks are safe and which are final. */
export class FinalityWatch {
  private running?: Promise<void>
  private again = false
  private timer?: NodeJS.Timeout
  private askedAt = Number.NEGATIVE_INFINITY
  private othersAskedAt = Number.NEGATIVE_INFINITY
  private isStopped = false

  constructor(private readonly options: FinalityOptions) {}

  /** After each change of the chain. Settles once the nodes have been asked. */
  refresh(): Promise<void> {
    const { chain, finality } = this.options
    const depth = depthOf(finality)
    if (depth !== undefined) {
      const number = Math.max(0, (chain.head?.number ?? 0) - depth)
      this.set({ safe: number, finalized: number })
      return SETTLED
    }
    if (this.isStopped) return SETTLED
    if (this.running) {
      this.again = true
      return this.running
    }
    const waitMs = this.askedAt + PAUSE_MS - performance.now()
    if (waitMs <= 0) return this.run()
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      void this.refresh()
    }, waitMs)
    return SETTLED
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  private run(): Promise<void> {
    this.askedAt = performance.now()
    this.running = this.ask()
      .catch(() => {
        // The next block asks again.
      })
      .finally(() => {
        this.running = undefined
        if (this.again) void this.refresh()
        this.again = false
      })
    return this.running
  }

  private async ask(): Promise<void> {
    const [primary, ...others] = this.options.nodes()
    if (!primary) return
    const reports = [await this.reportOf(primary)]
    if (reports.some((report) => this.needsOthers(report))) {
      this.othersAskedAt = performance.now()
      reports.push(...(await Promise.all(others.map((node) => this.reportOf(node).catch(() => ({}))))))
    }
    const { chain } = this.options
    const known = TAGS.map((tag) => {
      const numbers = reports.flatMap((report) => report[tag] ?? [])
      return later(chain[tag], agreedNumber(numbers), chain.head?.number)
    })
    this.set({ safe: known[0], finalized: known[1] })
  }

  private async reportOf(node: ReportingNode): Promise<ChainFinality> {
    const [safe, finalized] = await Promise.all(TAGS.map((tag) => node.tagged(tag)))
    return { safe: this.ownNumber(safe), finalized: this.ownNumber(finalized) }
  }

  /** Undefined for a block of another branch. */
  private ownNumber(block: ChainBlock | undefined): number | undefined {
    const ours = block && this.options.chain.at(block.number)
    return ours && ours.hash !== block.hash ? undefined : block?.number
  }

  private needsOthers(report: ChainFinality): boolean {
    const { chain } = this.options
    const hasMore = TAGS.some((tag) => (report[tag] ?? -1) > (chain[tag] ?? -1))
    return hasMore || performance.now() - this.othersAskedAt > OTHERS_MS
  }

  private set(finality: ChainFinality): void {
    const { chain, onChange } = this.options
    if (finality.safe === chain.safe && finality.finalized === chain.finalized) return
    chain.finalize(finality)
    onChange()
  }
}

const SETTLED = Promise.resolve()

/** A new primary upstream may lag behind the former: these heights only go back with the head itself. */
function later(before: number | undefined, now: number | undefined, head = 0): number | undefined {
  if (before === undefined && now === undefined) return undefined
  return Math.min(Math.max(before ?? 0, now ?? 0), head)
}
