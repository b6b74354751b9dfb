import type { ChainBlock, FollowedChain } from '../heads/followed-chain.js'

/** A block that a filter has told of. */
export interface DeliveredBlock {
  readonly number: number
  readonly hash: string
  /** Of the logs it had for this filter, as JSON: what a reorganisation takes back. */
  readonly logs: readonly string[]
}

/**
 * A filter as it is kept: whoever is asked next, any worker of any replica, goes on from here,
 * also when the chain has changed in a way it did not see itself.
 */
export interface FilterState {
  /** The newest block that was told of. */
  readonly number: number
  readonly hash: string
  /** The blocks up to it that may still go, oldest first. */
  readonly told: readonly DeliveredBlock[]
}

/** What there is to tell. */
export interface FilterStep {
  /** Newest first. */
  readonly removed: readonly DeliveredBlock[]
  /** From this block on. */
  readonly from: number
  /** Oldest first; none when nothing is new. Blocks that we do not know any more are missing. */
  readonly added: readonly ChainBlock[]
}

/** As many blocks can go without the filter's forgetting that they were told; more than ever went on a main network. */
const KEPT_BLOCKS = 128
/** NATS takes messages up to a megabyte. */
const KEPT_CHARACTERS = 512 * 1024

export function startAt({ number, hash }: ChainBlock): FilterState {
  return { number, hash, told: [{ number, hash, logs: [] }] }
}

/** What has happened since; undefined while we know less of the chain than whoever told last. */
export function stepFrom(state: FilterState, chain: FollowedChain): FilterStep | undefined {
  const { head } = chain
  if (!head) return undefined
  const removed = state.told.filter(({ number, hash }) => number <= head.number && isGone(chain, number, hash)).reverse()
  // Above our head, and nothing under it is another: we are behind.
  if (removed.length === 0 && state.number > head.number) return undefined
  const above = state.told.filter(({ number }) => number > head.number).reverse()
  const gone = removed.length > 0 ? [...above, ...removed] : []
  const from = gone.at(-1)?.number ?? state.number + 1
  return { removed: gone, from, added: blocksBetween(chain, from, head.number) }
}

/** Where the filter stands when that was told. */
export function after(
  state: FilterState,
  { removed, added }: FilterStep,
  logsOf: (block: ChainBlock) => readonly string[],
  finalized = -1,
): FilterState {
  const gone = new Set(removed.map(({ hash }) => hash))
  const kept = state.told.filter(({ hash }) => !gone.has(hash))
  const told = [...kept, ...added.map((block) => ({ number: block.number, hash: block.hash, logs: logsOf(block) }))]
  const last = told.at(-1) ?? state
  return {
    number: last.number,
    hash: last.hash,
    told: bounded(told.filter(({ number }, i) => number > finalized || i === told.length - 1)),
  }
}

function isGone(chain: FollowedChain, number: number, hash: string): boolean {
  const known = chain.at(number)
  return known !== undefined && known.hash !== hash
}

/** Those we still know. */
function blocksBetween(chain: FollowedChain, from: number, to: number): ChainBlock[] {
  const blocks: ChainBlock[] = []
  for (let number = from; number <= to; number++) {
    const block = chain.at(number)
    if (block) blocks.push(block)
  }
  return blocks
}

/** The newest of them, with as many logs as there is room for. */
function bounded(told: readonly DeliveredBlock[]): DeliveredBlock[] {
  let room = KEPT_CHARACTERS
  const kept: DeliveredBlock[] = []
  for (const block of told.slice(-KEPT_BLOCKS).reverse()) {
    room -= block.logs.reduce((sum, log) => sum + log.length, 0)
    kept.push(room < 0 ? { ...block, logs: [] } : block)
  }
  return kept.reverse()
}
