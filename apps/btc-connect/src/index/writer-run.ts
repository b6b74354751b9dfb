import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { RowRules } from './block-rows.js'
import type { IndexSettings } from './settings.js'

/** What is valid while this process is the writer. */
export interface WriterRun {
  /** Aborts when the lease is lost or the process stops. */
  readonly signal: AbortSignal
  readonly chain: ChainRules
  readonly rules: RowRules
  readonly settings: IndexSettings
}
