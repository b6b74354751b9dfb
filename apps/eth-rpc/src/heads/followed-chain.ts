import { blocksToHold, MIN_HELD_BLOCKS } from './finality.js'
import type { HeadRules } from './head-rules.js'

export interface ChainBlock {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** What `newHeads` shows of it, as JSON. */
  readonly header: string
  readonly receivedAt: number
}

/** How the chain we follow has changed. */
export interface ChainChange {
  /** Newest first. */
  readonly removed: readonly ChainBlock[]
  /** Oldest first. */
  readonly added: readonly ChainBlock[]
  /**
   * Only where the chain starts again, at first or after a gap too wide to fill: the known blocks below `added`, oldest first. Blocks
   * between the former chain and this one may be missing.
   */
  readonly resetFrom?: readonly ChainBlock[]
}

/** Up to which blocks the chain will not change, as far as is known. */
export interface ChainFinality {
  readonly safe?: number
  readonly finalized?: number
}

/** The newest blocks of the chain we follow, each the parent of the next. */
export class FollowedChain {
  private readonly heights = new Map<number, ChainBlock>()
  private readonly hashes = new Map<string, ChainBlock>()
  private newest?: ChainBlock
  private oldest = 0
  private finality: ChainFinality = {}

  constructor(private readonly size = MIN_HELD_BLOCKS) {}

  static of({ finality, blockSeconds }: Pick<HeadRules, 'finality' | 'blockSeconds'>): FollowedChain {
    return new FollowedChain(blocksToHold(finality, blockSeconds))
  }

  get head(): ChainBlock | undefined {
    return this.newest
  }

  get safe(): number | undefined {
    return this.finality.safe
  }

  get finalized(): number | undefined {
    return this.finality.finalized
  }

  at(number: number): ChainBlock | undefined {
    return this.heights.get(number)
  }

  byHash(hash: string): ChainBlock | undefined {
    return this.hashes.get(hash)
  }

  /** All that are known, oldest first. */
  blocks(): ChainBlock[] {
    const blocks: ChainBlock[] = []
    for (let number = this.oldest; this.newest && number <= this.newest.number; number++) {
      const block = this.heights.get(number)
      if (block) blocks.push(block)
    }
    return blocks
  }

  /** Throws, and changes nothing, where the change does not link to what is known. */
  apply(change: ChainChange): void {
    checkLinks(this, change)
    if (change.resetFrom) this.clear()
    for (const block of change.removed) this.remove(block)
    for (const block of change.resetFrom ?? []) this.add(block)
    for (const block of change.added) this.add(block)
  }

  finalize(finality: ChainFinality): void {
    this.finality = finality
  }

  private add(block: ChainBlock): void {
    if (!this.newest) this.oldest = block.number
    this.heights.set(block.number, block)
    this.hashes.set(block.hash, block)
    this.newest = block
    while (this.heights.size > this.size) this.forget(this.oldest++)
  }

  private remove(block: ChainBlock): void {
    this.forget(block.number)
    this.newest = this.heights.get(block.number - 1)
  }

  private forget(number: number): void {
    const block = this.heights.get(number)
    if (!block) return
    this.heights.delete(number)
    this.hashes.delete(block.hash)
  }

  private clear(): void {
    this.heights.clear()
    this.hashes.clear()
    this.newest = undefined
  }
}

/** A change that does not link to the chain. */
export class ChainGap extends Error {}

function checkLinks(chain: FollowedChain, { removed, added, resetFrom }: ChainChange): void {
  let tip = resetFrom ? undefined : chain.head
  for (const block of removed) {
    if (block.hash !== tip?.hash) throw new ChainGap(`Block ${block.number} is not the newest.`)
    tip = chain.at(block.number - 1)
  }
  // With all known blocks removed there is nothing to link to.
  if (removed.length > 0 && !tip) throw new ChainGap(`Nothing is known under block ${removed.at(-1)?.number}.`)
  for (const block of [...(resetFrom ?? []), ...added]) {
    if (tip && !isParent(tip, block)) throw new ChainGap(`Block ${block.number} does not follow on block ${tip.number}.`)
    tip = block
  }
}

export function isParent(parent: ChainBlock, child: ChainBlock): boolean {
  return child.parentHash === parent.hash && child.number === parent.number + 1
}

/**
 * The change from the chain to the first block of `branch`, which is that block and its ancestors, newest first; undefined while the oldest
 * of them does not link to the chain, so that its parent is needed too.
 */
export function changeTo(chain: FollowedChain, branch: readonly ChainBlock[]): ChainChange | undefined {
  const [head] = branch
  const known = head && chain.byHash(head.hash)
  if (known) return { removed: above(chain, known), added: [] }
  const oldest = branch.at(-1)
  const parent = oldest && chain.byHash(oldest.parentHash)
  if (!parent || !isParent(parent, oldest)) return undefined
  return { removed: above(chain, parent), added: branch.toReversed() }
}

/** Newest first. */
function above(chain: FollowedChain, { number }: ChainBlock): ChainBlock[] {
  const blocks: ChainBlock[] = []
  for (let block = chain.head; block && block.number > number; block = chain.at(block.number - 1)) blocks.push(block)
  return blocks
}
