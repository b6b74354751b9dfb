import { type Block, ChainView } from '../src/heads/chain-view.js'

/** A hash one can read: which block, of which branch. */
export function hashOf(number: number, branch = 0): string {
  return `0x${branch.toString(16).padStart(32, '0')}${number.toString(16).padStart(32, '0')}`
}

/** A block on a branch that leaves the others' at `fork`. */
export function blockOf(number: number, branch = 0, fork = 0): Block {
  return {
    number,
    hash: hashOf(number, number > fork ? branch : 0),
    parentHash: hashOf(number - 1, number - 1 > fork ? branch : 0),
    header: '{}',
    seenAt: 0,
  }
}

/** Blocks 1 to `head`, of which so many are known. */
export function chainOf(head: number, { known, ...finality }: { known?: number; safe?: number; finalized?: number } = {}): ChainView {
  const chain = new ChainView(known)
  chain.apply({ removed: [], added: Array.from({ length: head }, (_, index) => blockOf(index + 1)), anew: [] })
  chain.finalize(finality)
  return chain
}

/** The newest blocks, from `from` on, make place for those of a branch. */
export function reorg(chain: ChainView, from: number, branch: number) {
  const blocks = chain.blocks().filter(({ number }) => number >= from)
  const change = { removed: blocks.toReversed(), added: blocks.map(({ number }) => blockOf(number, branch, from - 1)) }
  chain.apply(change)
  return change
}
