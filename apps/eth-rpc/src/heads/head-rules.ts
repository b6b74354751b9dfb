import type { FinalityRule, HeaderHash } from '@trestle/contracts/chains/chain'

/** What a chain's record says that following it depends on. */
export interface HeadRules {
  readonly finality: FinalityRule
  readonly blockSeconds: number
  /** Left out where it is not known. */
  readonly headerHash?: HeaderHash
}
