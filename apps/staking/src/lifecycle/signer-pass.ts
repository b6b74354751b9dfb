import type { Lease } from '@trestle/database/lease'
import type { Chain } from '../chains/chain-facts.js'
import type { Holders } from './holders.js'
import type { Row } from './row.js'
import type { ChainSeen } from './steps.js'

/** One pass over signers: whose turn it is, and what was seen in it. */
export interface SignerPass {
  readonly lease: Lease
  readonly chain: Chain
  readonly holders: Holders
  /** Undefined: the chain could not be read. */
  readonly view?: { readonly epoch: number; readonly finalizedEpoch: number; seen(row: Row): ChainSeen }
}
