import type { BeaconStatus } from '@trestle/ethereum/beacon-status'

/** A validator as the reconciler knows it. */
export interface ValidatorRecord {
  readonly serial: number
  readonly pubkey: Buffer
  readonly region: string
  readonly withdrawalCredentials: Buffer

  readonly feeAddress: Buffer
  readonly createdAt: Date
  readonly exitRequestedAt?: Date
  /** Why every beacon node refused the exit when it was last sent. */
  readonly exitProblem?: string
  readonly removedAt?: Date
  /** Until then a removed validator can be restored. */
  readonly restorableUntil?: Date

  readonly signer: SignerState
  readonly custody: KeyCustody
  readonly chain: ChainState
  /** When the chain was last read for it. */
  readonly observedAt?: Date
}

/** What the signer of its region has, as last reported. */
export interface SignerState {
  readonly importedAt?: Date
  /** Since when the signer has had the key and the fee address. */
  readonly readyAt?: Date
  readonly feeAddress?: Buffer
  readonly checkedAt?: Date
  /** The key was deleted from the signer, finally. */
  readonly releasedAt?: Date
  readonly problem?: string
}

/** Who may have its key. */
export interface KeyCustody {
  /** The signer that the key was last sent to. */
  readonly identity?: string
  /** When the signer first listed the key; undefined again once the key was deleted from it. */
  readonly listedAt?: Date
  /** Since when the signer no longer lists it. */
  readonly lostAt?: Date
  readonly silence?: Silence
  /** When an administrator allowed the next import, having made sure that no other signer has the key. */
  readonly recoveryAllowedAt?: Date
  /** For how many epochs in a row the chain has seen nothing signed for it while it was active. */
  readonly missedEpochs?: number
}

/** Epochs without a gap in which the chain saw nothing signed with a key. */
export interface Silence {
  readonly from: number
  readonly to: number
}

/** What the chain has, as last read. */
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
  /** A deposit bound the key to other withdrawal credentials. */
  readonly compromisedAt?: Date
}
