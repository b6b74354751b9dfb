import type { BeaconStatus } from '@trestle/ethereum/beacon-status'

/** A validator as the reconciler sees it. */
export interface ValidatorRecord {
  readonly serial: number
  readonly pubkey: Buffer
  readonly region: string
  readonly withdrawalCredentials: Buffer

  readonly feeAddress: Buffer
  readonly exitRequestedAt?: Date
  readonly removedAt?: Date

  readonly signer: SignerState
  readonly chain: ChainState
  /** When the chain was last asked about it, and the answer kept. */
  readonly observedAt?: Date
}

/** What its region's signer has, as it said last. */
export interface SignerState {
  readonly importedAt?: Date
  /** Since then the signer has the key and knows the fee address. */
  readonly readyAt?: Date
  readonly feeAddress?: Buffer
  readonly checkedAt?: Date
  /** The signer has given the key back, for ever. */
  readonly releasedAt?: Date
  readonly problem?: string
}

/** What the chain has, as it was seen last. */
export interface ChainState {
  readonly index?: number
  readonly status?: BeaconStatus
  readonly balanceGwei: bigint
  readonly effectiveBalanceGwei: bigint
  readonly activationEpoch?: number
  readonly exitEpoch?: number
  readonly withdrawableEpoch?: number
  readonly slashed: boolean
  readonly depositedAt?: Date
  readonly activatedAt?: Date
  readonly exitingAt?: Date
  readonly exitedAt?: Date
  readonly withdrawnAt?: Date
  /** Its key is bound to somebody else's credentials. */
  readonly compromisedAt?: Date
}
