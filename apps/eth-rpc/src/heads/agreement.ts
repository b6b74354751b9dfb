import type { ChainBlock, FollowedChain } from './followed-chain.js'

export type Agreement = 'agrees' | 'differs' | 'unknown'

/** Whether the chain that ends with `head` goes through the head of ours; `parentOf` knows some of its blocks. */
export function agreementOf(chain: FollowedChain, head: ChainBlock, parentOf: (block: ChainBlock) => ChainBlock | undefined): Agreement {
  const ours = chain.head
  if (!ours) return 'unknown'
  // It is as far as we are at most.
  if (head.number <= ours.number) return chain.byHash(head.hash) ? 'agrees' : 'differs'
  let block: ChainBlock | undefined = head
  while (block && block.number > ours.number + 1) block = parentOf(block)
  if (!block) return 'unknown'
  return block.parentHash === ours.hash ? 'agrees' : 'differs'
}
