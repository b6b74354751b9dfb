import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { RowRules } from './block-rows.js'
import type { IndexSettings } from './settings.js'

/** What holds while this process is the writer. */
export interface WriterRun {
  /** Aborts when it is no longer, or stops. */
  readonly signal: AbortSignal
  readonly chain: ChainRules
  readonly rules: RowRules
  readonly settings: IndexSettings
}
