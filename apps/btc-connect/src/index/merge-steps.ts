import { PARTS } from './staged-rows.js'

/** Indexes that the load drops: rebuilt once all rows are in place. */
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
  /** Outputs joined with the inputs that spend them: `txo`. */
  | { readonly number: number; readonly kind: 'join'; readonly part: number }
  /** Totals and histories by owner: `script`, `script_tx`. */
  | { readonly number: number; readonly kind: 'aggregate'; readonly part: number }
  | { readonly number: number; readonly kind: 'index'; readonly index: DeferredIndex }
  /** The outputs that the newest blocks spent: `block_undo`. */
  | { readonly number: number; readonly kind: 'keep-undo' }

/** Built last: their tables are still written to, or read for another index, and building a primary key locks the table. */
const LATE: readonly DeferredIndex[] = ['script_tx_pkey', 'txo_unspent', 'script_pkey', 'tx_pkey']

const parts = Array.from({ length: PARTS }, (_, part) => part)
const joins: MergeStep[] = parts.map((part) => ({ number: part, kind: 'join', part }))
const aggregates: MergeStep[] = parts.map((part) => ({ number: PARTS + part, kind: 'aggregate', part }))
const indexes = DEFERRED_INDEXES.map((index, i) => ({ number: 2 * PARTS + i, kind: 'index', index }) as const)
const undo: MergeStep = { number: 2 * PARTS + DEFERRED_INDEXES.length, kind: 'keep-undo' }

/** The steps of a stage are independent of each other; each stage needs all earlier ones. */
export const MERGE_STAGES: readonly (readonly MergeStep[])[] = [
  joins,
  [...indexes.filter(({ index }) => !LATE.includes(index)), undo, ...aggregates],
  indexes.filter(({ index }) => LATE.includes(index)),
]

export const MERGE_STEP_COUNT = MERGE_STAGES.flat().length
