import type { ChainBlock, FollowedChain } from '../heads/followed-chain.js'

/** A block that a filter has reported. */
interface DeliveredBlock {
  readonly number: number
  readonly hash: string
  /** Its logs for this filter, as JSON: a reorganization reports them as removed. */
  readonly logs: readonly string[]
}

/**
 * The stored state of a filter: any worker of any replica continues from here, also where it did not see how the chain changed.
 * `told` is a stored name.
 */
export interface FilterState {
  /** The newest block reported. */
  readonly number: number
  readonly hash: string
  /** The blocks up to it that may still be disconnected, oldest first. */
  readonly told: readonly DeliveredBlock[]
}

/** What there is to report. */
export interface FilterStep {
  /** Newest first. */
  readonly removed: readonly DeliveredBlock[]
  /** The number of the first block to report. */
  readonly from: number
  /** Oldest first. Blocks that we no longer know are missing. */
  readonly added: readonly ChainBlock[]
}

/** A deeper reorganization would not report what is removed; there was none on a main network. */
const MAX_KEPT_BLOCKS = 128
/** NATS takes messages up to a megabyte. */
const MAX_KEPT_CHARACTERS = 512 * 1024

export function startAt({ number, hash }: ChainBlock): FilterState {
  return { number, hash, told: [{ number, hash, logs: [] }] }
}

/** What has happened since; undefined while we are behind the process that reported last. */
export function stepFrom(state: FilterState, chain: FollowedChain): FilterStep | undefined {
  const { head } = chain
  if (!head) return undefined
  const removed = state.told.filter(({ number, hash }) => number <= head.number && isGone(chain, number, hash)).reverse()
  // It is above our head, on our branch: we are behind.
  if (removed.length === 0 && state.number > head.number) return undefined
  const above = state.told.filter(({ number }) => number > head.number).reverse()
  const gone = removed.length > 0 ? [...above, ...removed] : []
  const from = gone.at(-1)?.number ?? state.number + 1
  return { removed: gone, from, added: blocksBetween(chain, from, head.number) }
}

/** The state once that is reported. */
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

/** The newest blocks, with as many logs as fit. */
function bounded(told: readonly DeliveredBlock[]): DeliveredBlock[] {
  let room = MAX_KEPT_CHARACTERS
  const kept: DeliveredBlock[] = []
  for (const block of told.slice(-MAX_KEPT_BLOCKS).reverse()) {
    room -= block.logs.reduce((sum, log) => sum + log.length, 0)
    kept.push(room < 0 ? { ...block, logs: [] } : block)
  }
  return kept.reverse()
}
