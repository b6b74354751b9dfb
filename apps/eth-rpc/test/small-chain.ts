import { type ChainBlock, FollowedChain } from '../src/heads/followed-chain.js'

/** A hash one can read: which block, of which branch. */
export function smallHash(number: number, branch = 0): string {
  return `0x${branch.toString(16).padStart(32, '0')}${number.toString(16).padStart(32, '0')}`
}

/** A block on a branch that leaves the others' at `fork`. */
export function smallBlock(number: number, branch = 0, fork = 0): ChainBlock {
  return {
    number,
    hash: smallHash(number, number > fork ? branch : 0),
    parentHash: smallHash(number - 1, number - 1 > fork ? branch : 0),
    header: '{}',
    receivedAt: 0,
  }
}

/** Blocks 1 to `head`, of which so many are known. */
export function shortChain(
  head: number,
  { known, ...finality }: { known?: number; safe?: number; finalized?: number } = {},
): FollowedChain {
  const chain = new FollowedChain(known)
  chain.apply({ removed: [], added: Array.from({ length: head }, (_, index) => smallBlock(index + 1)), resetFrom: [] })
  chain.finalize(finality)
  return chain
}

/** The newest blocks, from `from` on, make place for those of a branch. */
export function reorg(chain: FollowedChain, from: number, branch: number) {
  const blocks = chain.blocks().filter(({ number }) => number >= from)
  const change = { removed: blocks.toReversed(), added: blocks.map(({ number }) => smallBlock(number, branch, from - 1)) }
  chain.apply(change)
  return change
}
