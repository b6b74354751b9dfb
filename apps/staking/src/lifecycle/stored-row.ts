import { BEACON_STATUSES, type BeaconStatus } from '@trestle/ethereum/beacon-status'
import type { ChainFacts, Row, SignerFacts } from './row.js'

/** A row of `validator` as pg gives it. */
export interface StoredRow {
  serial: number
  pubkey: Buffer
  region: string
  withdrawal_credentials: Buffer
  fee_address: Buffer
  exit_requested_at: Date | null
  removed_at: Date | null
  imported_at: Date | null
  ready_at: Date | null
  signer_fee_address: Buffer | null
  signer_checked_at: Date | null
  released_at: Date | null
  signer_problem: string | null
  chain_index: number | null
  beacon_status: string | null
  balance_gwei: string
  effective_balance_gwei: string
  activation_epoch: string | null
  exit_epoch: string | null
  withdrawable_epoch: string | null
  slashed: boolean
  observed_at: Date | null
  deposited_at: Date | null
  activated_at: Date | null
  exiting_at: Date | null
  exited_at: Date | null
  withdrawn_at: Date | null
  spoiled_at: Date | null
}

export function rowOf(row: StoredRow): Row {
  return {
    serial: row.serial,
    pubkey: row.pubkey,
    region: row.region,
    withdrawalCredentials: row.withdrawal_credentials,
    feeAddress: row.fee_address,
    exitRequestedAt: row.exit_requested_at ?? undefined,
    removedAt: row.removed_at ?? undefined,
    observedAt: row.observed_at ?? undefined,
    signer: signerFactsOf(row),
    chain: chainFactsOf(row),
  }
}

function signerFactsOf(row: StoredRow): SignerFacts {
  return {
    importedAt: row.imported_at ?? undefined,
    readyAt: row.ready_at ?? undefined,
    feeAddress: row.signer_fee_address ?? undefined,
    checkedAt: row.signer_checked_at ?? undefined,
    releasedAt: row.released_at ?? undefined,
    problem: row.signer_problem ?? undefined,
  }
}

function chainFactsOf(row: StoredRow): ChainFacts {
  return {
    index: row.chain_index ?? undefined,
    status: BEACON_STATUSES.find((status): status is BeaconStatus => status === row.beacon_status),
    balanceGwei: BigInt(row.balance_gwei),
    effectiveBalanceGwei: BigInt(row.effective_balance_gwei),
    activationEpoch: numberOf(row.activation_epoch),
    exitEpoch: numberOf(row.exit_epoch),
    withdrawableEpoch: numberOf(row.withdrawable_epoch),
    slashed: row.slashed,
    ...timesOf(row),
  }
}

function timesOf(row: StoredRow) {
  return {
    depositedAt: row.deposited_at ?? undefined,
    activatedAt: row.activated_at ?? undefined,
    exitingAt: row.exiting_at ?? undefined,
    exitedAt: row.exited_at ?? undefined,
    withdrawnAt: row.withdrawn_at ?? undefined,
    spoiledAt: row.spoiled_at ?? undefined,
  }
}

function numberOf(text: string | null): number | undefined {
  return text === null ? undefined : Number(text)
}
