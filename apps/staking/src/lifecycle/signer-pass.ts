import type { Lease } from '@trestle/database/lease'
import type { StakingChain } from '../chains/chain.js'
import type { KeyHolders } from './key-holders.js'
import type { ChainObservation } from './steps.js'
import type { ValidatorRecord } from './validator-record.js'

/** One pass over signers: the lease, and what was observed. */
export interface SignerPass {
  readonly lease: Lease
  readonly chain: StakingChain
  readonly holders: KeyHolders
  /** Undefined if the chain could not be read. */
  readonly view?: { readonly epoch: number; readonly finalizedEpoch: number; observationOf(record: ValidatorRecord): ChainObservation }
}
