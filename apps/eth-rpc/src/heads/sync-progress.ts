import { z } from 'zod'

/** How far a node is, by what its `eth_syncing` shows. */
export interface SyncProgress {
  readonly currentBlock: number
  readonly highestBlock: number
  /** Of state that it still lacks at its current block. */
  readonly missingState: number
  /** Of indexes that grow beside: whatever needs no index is right. */
  readonly toIndex: number
}

const Amount = z.union([z.number().int(), z.string().regex(/^(0x[0-9a-f]{1,13}|\d{1,15})$/i)]).transform(Number)
const Optional = Amount.optional().catch(undefined)
// Erigon has `stage_name` and `block_number`, reth `name` and `block`.
const Stage = z.union([
  z
    .looseObject({ stage_name: z.string(), block_number: Amount })
    .transform((stage) => ({ name: stage.stage_name, block: stage.block_number })),
  z.looseObject({ name: z.string(), block: Amount }).transform(({ name, block }) => ({ name, block })),
])
const Shown = z.looseObject({
  currentBlock: Amount,
  highestBlock: Amount,
  healingTrienodes: Optional,
  healingBytecode: Optional,
  txIndexRemainingBlocks: Optional,
  stateIndexRemaining: Optional,
  stages: z.array(Stage).optional().catch(undefined),
})

/**
 * Undefined where the node has nothing to catch up with; `unknown` where it says that it synchronizes, and not how far it is.
 *
 * False is what all clients say at the head. geth shows an object while it indexes, too, with the current block as the highest; Nethermind while it fetches
 * old bodies and receipts; Besu's has the three numbers of the specification; Erigon's and reth's have stages besides, and reth's highest
 * block is its current one.
 */
export function syncProgressOf(shown: unknown): SyncProgress | 'unknown' | undefined {
  if (shown === false || shown === null || shown === undefined) return undefined
  const parsed = Shown.safeParse(shown)
  if (!parsed.success) return 'unknown'
  const { currentBlock, highestBlock, stages = [], ...rest } = parsed.data
  const done = stages.filter(({ name }) => EXECUTED.has(name)).map(({ block }) => block)
  const begun = stages.filter(({ name }) => name === 'Headers').map(({ block }) => block)
  return {
    currentBlock: Math.min(currentBlock, ...done),
    highestBlock: Math.max(highestBlock, ...begun),
    missingState: (rest.healingTrienodes ?? 0) + (rest.healingBytecode ?? 0),
    toIndex: (rest.txIndexRemainingBlocks ?? 0) + (rest.stateIndexRemaining ?? 0),
  }
}

const EXECUTED = new Set(['Execution', 'Finish'])

interface SyncTolerance {
  /** A node may lack so many blocks. */
  readonly maxLag: number
  /** Seconds since its newest block was made; undefined before it has shown one. */
  readonly headAge: number | undefined
}

/** Blocks come, and peers may invent a highest one: whose newest block is this young lacks none. */
const FRESH_SECONDS = 60

/** Why the node cannot be asked: it lacks blocks, or the state of its newest. Undefined where it can. */
export function behindReason(progress: SyncProgress | 'unknown' | undefined, { maxLag, headAge }: SyncTolerance): string | undefined {
  if (progress === undefined) return undefined
  const isFresh = headAge !== undefined && headAge < FRESH_SECONDS
  if (progress === 'unknown') return isFresh ? undefined : 'it synchronizes, and does not say how far it is'
  const { currentBlock, highestBlock, missingState } = progress
  if (missingState > 0 && !isFresh) return `it lacks ${missingState} parts of the state`
  if (highestBlock - currentBlock <= maxLag || isFresh) return undefined
  return `it synchronizes: it has block ${currentBlock} of ${highestBlock}`
}

export function isIndexing(progress: SyncProgress | 'unknown' | undefined): boolean {
  return progress !== undefined && progress !== 'unknown' && progress.toIndex > 0
}
