import type { EvmNodeClient } from './evm-node.client.js'
import { type ChainBlock, type ChainChange, changeTo, type FollowedChain, isParent } from './followed-chain.js'

/** The upstream whose chain is followed: its head, and the node that knows its ancestors. */
export interface FollowedUpstream {
  readonly name: string
  readonly head?: ChainBlock
  readonly node: Pick<EvmNodeClient, 'block' | 'blockAt'>
  /** Blocks that it has shown already, by hash. */
  readonly known?: ReadonlyMap<string, ChainBlock>
}

interface FollowerOptions {
  readonly chain: FollowedChain
  /** Called each time: the primary upstream may change meanwhile. */
  readonly primary: () => FollowedUpstream | undefined
  /** Others that may know a block that the primary upstream does not show. */
  readonly others: () => readonly Pick<FollowedUpstream, 'node'>[]
  /** The block to start with: a quorum has it. */
  readonly start: (primary: FollowedUpstream) => ChainBlock | undefined
  /** Whether the head of the upstream is known to link to our chain, if only over a wide gap. */
  readonly isLinked: (primary: FollowedUpstream) => boolean
  /** The chain has changed. */
  readonly onChange: (change: ChainChange) => void
  readonly onFailure: (followed: FollowedUpstream, error: unknown) => void
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

/** How long a head that is lower than ours, or cannot be linked to it, may be a passing state. */
const MAX_STUCK_MS = 10_000
/** Longer gaps are not filled. */
const MAX_BRANCH = 128
const MAX_CONCURRENT = 16

/** Moves our chain along that of the primary upstream, from block to linked block. */
export class ChainFollower {
  private running = Promise.resolve()
  private isRunning = false
  private again = false
  /** The upstream that cannot be followed, and since when. */
  private stuck?: { readonly upstream: string; readonly since: number }

  constructor(private readonly options: FollowerOptions) {}

  /** Settles when our chain has caught up. */
  follow(): Promise<void> {
    this.again = true
    if (!this.isRunning) this.running = this.run()
    return this.running
  }

  private async run(): Promise<void> {
    this.isRunning = true
    while (this.again) {
      this.again = false
      const primary = this.options.primary()
      if (primary?.head) await this.step(primary, primary.head)
    }
    this.isRunning = false
  }

  private async step(primary: FollowedUpstream, head: ChainBlock): Promise<void> {
    try {
      const change = await this.next(primary, head)
      // The primary upstream has changed meanwhile.
      if (!change || this.options.primary() !== primary) return
      this.stuck = undefined
      if (change.removed.length + change.added.length > 0) this.options.onChange(change)
    } catch (error) {
      this.options.onFailure(primary, error)
    }
  }

  private async next(primary: FollowedUpstream, head: ChainBlock): Promise<ChainChange | undefined> {
    const ours = this.options.chain.head
    if (!ours) return this.start(primary)
    const isTooFar = head.number - ours.number > MAX_BRANCH
    if (isTooFar && this.options.isLinked(primary)) return this.startAt(primary, head)
    if ((isTooFar || head.number < ours.number) && this.mayRecover(primary)) return undefined
    try {
      const change = await this.branchTo(primary, head)
      if (change) return change
    } catch (error) {
      if (this.mayRecover(primary)) throw error
    }
    return this.startAt(primary, head)
  }

  private async start(primary: FollowedUpstream): Promise<ChainChange | undefined> {
    const block = this.options.start(primary)
    return block && this.startAt(primary, block)
  }

  private mayRecover({ name }: FollowedUpstream): boolean {
    const now = this.options.now()
    if (this.stuck?.upstream !== name) this.stuck = { upstream: name, since: now }
    return now - this.stuck.since < MAX_STUCK_MS
  }

  /** Undefined where the chains have no block in common within reach. */
  private async branchTo(primary: FollowedUpstream, head: ChainBlock): Promise<ChainChange | undefined> {
    const branch = [head]
    for (let oldest = head; branch.length <= MAX_BRANCH; branch.push(oldest)) {
      const change = changeTo(this.options.chain, branch)
      if (change || oldest.number === 0) return change
      const parent =
        shownBy(primary, oldest) ?? (await this.parentOf(oldest, [primary])) ?? (await this.parentOf(oldest, this.options.others()))
      if (!parent) throw new Error(`No node knows the parent of block ${oldest.number}.`)
      oldest = parent
    }
    return undefined
  }

  private async startAt(primary: FollowedUpstream, head: ChainBlock): Promise<ChainChange> {
    const ancestors = await this.ancestors(primary, head)
    const isShort = ancestors.length < Math.min(MAX_BRANCH, head.number)
    // It may have been replaced meanwhile.
    if (isShort && this.mayRecover(primary)) throw new Error(`No node knows the ancestors of block ${head.number}.`)
    return { removed: [], added: [head], resetFrom: ancestors }
  }

  /** By whichever of them shows it first: its hash proves it. */
  private parentOf(child: ChainBlock, nodes: readonly Pick<FollowedUpstream, 'node'>[]): Promise<ChainBlock | undefined> {
    const shown = nodes.map(async ({ node }) => {
      const parent = await node.block(child.parentHash)
      return parent && isParent(parent, child) ? parent : Promise.reject(new Error())
    })
    return Promise.any(shown).catch(() => undefined)
  }

  /** As many as the nodes know, oldest first. A filter continues from a block that it has reported: that is to be among them. */
  private async ancestors({ node }: FollowedUpstream, head: ChainBlock): Promise<ChainBlock[]> {
    const ancestors: ChainBlock[] = []
    let child = head
    while (ancestors.length < MAX_BRANCH && child.number > 0) {
      const count = Math.min(MAX_CONCURRENT, child.number)
      const numbers = Array.from({ length: count }, (_, index) => child.number - 1 - index)
      for (const block of await Promise.all(numbers.map((number) => node.blockAt(number).catch(() => undefined)))) {
        // The chain may have changed between two requests.
        const parent = block && isParent(block, child) ? block : await this.parentOf(child, [{ node }, ...this.options.others()])
        if (!parent) return ancestors.reverse()
        ancestors.push(parent)
        child = parent
      }
    }
    return ancestors.reverse()
  }
}

function shownBy({ known }: FollowedUpstream, child: ChainBlock): ChainBlock | undefined {
  const block = known?.get(child.parentHash)
  return block && isParent(block, child) ? block : undefined
}
