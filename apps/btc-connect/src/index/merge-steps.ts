import { PARTS } from './staged-rows.js'

/** What the load does without: built when all rows are there. */
export const DEFERRED_INDEXES = [
  'txo_pkey',
  'tx_txid',
  'tx_raw_pkey',
  'own_script_pkey',
  'script_tx_pkey',
  'txo_unspent',
  'script_pkey',
  'tx_pkey',
] as const
export type DeferredIndex = (typeof DEFERRED_INDEXES)[number]

/** One transaction of the merge. Its number is in `load_step` once it is committed. */
export type MergeStep =
  /** Outputs with what spends them: `txo`. */
  | { readonly number: number; readonly does: 'join'; readonly part: number }
  /** The owners' figures and histories: `script`, `script_tx`. */
  | { readonly number: number; readonly does: 'tell'; readonly part: number }
  | { readonly number: number; readonly does: 'index'; readonly index: DeferredIndex }
  /** What the newest blocks spent: `block_undo`. */
  | { readonly number: number; readonly does: 'keep-undo' }

/** Of tables that are only filled, or that another index is made of, while the early ones are built: a primary key locks its table. */
const LATE: readonly DeferredIndex[] = ['script_tx_pkey', 'txo_unspent', 'script_pkey', 'tx_pkey']

const parts = Array.from({ length: PARTS }, (_, part) => part)
const joins: MergeStep[] = parts.map((part) => ({ number: part, does: 'join', part }))
const tales: MergeStep[] = parts.map((part) => ({ number: PARTS + part, does: 'tell', part }))
const indexes = DEFERRED_INDEXES.map((index, i) => ({ number: 2 * PARTS + i, does: 'index', index }) as const)
const undo: MergeStep = { number: 2 * PARTS + DEFERRED_INDEXES.length, does: 'keep-undo' }

/** Steps of one stage need nothing of each other; each stage needs all of the ones before. */
export const MERGE_STAGES: readonly (readonly MergeStep[])[] = [
  joins,
  [...indexes.filter(({ index }) => !LATE.includes(index)), undo, ...tales],
  indexes.filter(({ index }) => LATE.includes(index)),
]

export const MERGE_STEP_COUNT = MERGE_STAGES.flat().length
