import { type ChainPace, isPlausible } from './chain-pace.js'
import type { ChainBlock, FollowedChain } from './followed-chain.js'

/** The newest block of an upstream, and what speaks for it. */
export interface HeadClaim {
  readonly name: string
  /** Of an upstream that answers, has the right chain id and does not synchronize. */
  readonly head?: ChainBlock
  /** Whether its ancestors lead to our chain; `open` while they are fetched. */
  readonly link: 'linked' | 'unlinked' | 'open'
  /** Upstreams that were asked for the block and have it. */
  readonly backers: ReadonlySet<string>
  /** The hash of the upstream's block at that height, where what it has reported shows it. */
  hashAt(number: number): string | undefined
}

/** What a claim comes to. */
export type ClaimVerdict =
  /** It links to our chain, or a quorum has it. */
  | 'counts'
  /** Nothing is known yet. */
  | 'open'
  /** Neither: it makes nobody lag, and is not followed. */
  | 'unproven'
  /** A quorum is on another branch. */
  | 'outvoted'

export interface ClaimContext {
  readonly ours: ChainBlock | undefined
  /** How many upstreams of our chain there are, also those that are away. */
  readonly size: number
  /** Undefined for a chain without a record. */
  readonly pace: ChainPace | undefined
  /** Seconds since 1970. */
  readonly now: number
}

export function judgeClaim(claim: HeadClaim, all: readonly HeadClaim[], { ours, size, pace, now }: ClaimContext): ClaimVerdict {
  const { head } = claim
  if (!head || !ours) return 'open'
  const quorum = quorumOf(size)
  if (countWhere(all, (other) => contradicts(other, claim)) >= quorum) return 'outvoted'
  const isBacked = countWhere(all, (other) => backs(other, claim)) >= quorum
  // A quorum of one is no proof: it must have had the time. Our own clock may be wrong, though.
  if (isBacked && (size > 1 || isPlausible(head, ours, pace, Number.POSITIVE_INFINITY))) return 'counts'
  if (claim.link === 'open') return 'open'
  return claim.link === 'linked' && isPlausible(head, ours, pace, now) ? 'counts' : 'unproven'
}

/** Where our chain begins, or begins again: at the highest block that a quorum of those that answer has. */
export function startingBlock(all: readonly HeadClaim[]): StartingBlock | undefined {
  const voters = all.filter(({ head }) => head)
  const quorum = quorumOf(voters.length)
  let best: StartingBlock | undefined
  for (const claim of voters) {
    const backers = voters.filter((other) => backs(other, claim)).map(({ name }) => name)
    if (claim.head && backers.length >= quorum && claim.head.number > (best?.block.number ?? -1)) best = { block: claim.head, backers }
  }
  return best
}

interface StartingBlock {
  readonly block: ChainBlock
  /** Who has it. */
  readonly backers: readonly string[]
}

/** More than half. */
export function quorumOf(size: number): number {
  return Math.floor(size / 2) + 1
}

/** It has this very block. */
function backs(other: HeadClaim, { head, backers }: HeadClaim): boolean {
  if (!head || !other.head) return false
  return backers.has(other.name) || (other.head.number >= head.number && other.hashAt(head.number) === head.hash)
}

/** It has another block at a height that both have. */
function contradicts(other: HeadClaim, claim: HeadClaim): boolean {
  if (!claim.head || !other.head) return false
  const height = Math.min(claim.head.number, other.head.number)
  const [its, ours] = [other.hashAt(height), claim.hashAt(height)]
  return its !== undefined && ours !== undefined && its !== ours
}

function countWhere<T>(all: readonly T[], fits: (each: T) => boolean): number {
  return all.reduce((count, each) => count + Number(fits(each)), 0)
}

/** The hash at that height of the chain that ends with `head`, as far as its blocks are known. */
export function hashAtOf(
  head: ChainBlock | undefined,
  number: number,
  parentOf: (block: ChainBlock) => ChainBlock | undefined,
): string | undefined {
  let block = head
  while (block && block.number > number + 1) block = parentOf(block)
  if (!block || block.number < number) return undefined
  return block.number === number ? block.hash : block.parentHash
}

/** The oldest block of the chain that ends with `head` as far as it is known, and whether it follows on ours or is part of it. */
export function oldestOf(
  head: ChainBlock,
  chain: Pick<FollowedChain, 'byHash'>,
  parentOf: (block: ChainBlock) => ChainBlock | undefined,
): { readonly block: ChainBlock; readonly isLinked: boolean } {
  let block = head
  while (!isLinkedTo(chain, block)) {
    const parent = parentOf(block)
    if (!parent) return { block, isLinked: false }
    block = parent
  }
  return { block, isLinked: true }
}

export function isLinkedTo(chain: Pick<FollowedChain, 'byHash'>, { hash, parentHash, number }: ChainBlock): boolean {
  return chain.byHash(hash)?.number === number || chain.byHash(parentHash)?.number === number - 1
}
