import { BEACON_STATUSES } from '@trestle/ethereum/beacon-status'
import type { ChainState, KeyCustody, SignerState, ValidatorRecord } from './validator-record.js'

/** A row of `validator` as Prisma reads it. pg, asked for the same names, has 64-bit integers as text. */
export interface StoredValidator {
  readonly serial: number
  readonly pubkey: Uint8Array
  readonly region: string
  readonly withdrawalCredentials: Uint8Array
  readonly feeAddress: Uint8Array
  readonly createdAt: Date
  readonly exitRequestedAt: Date | null
  readonly exitProblem: string | null
  readonly removedAt: Date | null
  readonly restorableUntil: Date | null
  readonly importedAt: Date | null
  readonly readyAt: Date | null
  readonly signerFeeAddress: Uint8Array | null
  readonly signerCheckedAt: Date | null
  readonly releasedAt: Date | null
  readonly signerProblem: string | null
  readonly signerIdentity: string | null
  readonly listedAt: Date | null
  readonly lostAt: Date | null
  readonly silentFrom: bigint | string | null
  readonly silentTo: bigint | string | null
  readonly recoveryAllowedAt: Date | null
  readonly missedEpochs: number
  readonly chainIndex: number | null
  readonly beaconStatus: string | null
  readonly balanceGwei: bigint | string
  readonly effectiveBalanceGwei: bigint | string
  readonly activationEpoch: bigint | string | null
  readonly exitEpoch: bigint | string | null
  readonly withdrawableEpoch: bigint | string | null
  readonly slashed: boolean
  readonly observedAt: Date | null
  readonly depositedAt: Date | null
  readonly activatedAt: Date | null
  readonly exitingAt: Date | null
  readonly exitedAt: Date | null
  readonly withdrawnAt: Date | null
  readonly compromisedAt: Date | null
}

export function recordOf(row: StoredValidator): ValidatorRecord {
  return {
    serial: row.serial,
    pubkey: Buffer.from(row.pubkey),
    region: row.region,
    withdrawalCredentials: Buffer.from(row.withdrawalCredentials),
    feeAddress: Buffer.from(row.feeAddress),
    createdAt: row.createdAt,
    exitRequestedAt: row.exitRequestedAt ?? undefined,
    exitProblem: row.exitProblem ?? undefined,
    removedAt: row.removedAt ?? undefined,
    restorableUntil: row.restorableUntil ?? undefined,
    observedAt: row.observedAt ?? undefined,
    signer: signerStateOf(row),
    custody: custodyOf(row),
    chain: chainStateOf(row),
  }
}

function signerStateOf(row: StoredValidator): SignerState {
  return {
    importedAt: row.importedAt ?? undefined,
    readyAt: row.readyAt ?? undefined,
    feeAddress: row.signerFeeAddress ? Buffer.from(row.signerFeeAddress) : undefined,
    checkedAt: row.signerCheckedAt ?? undefined,
    releasedAt: row.releasedAt ?? undefined,
    problem: row.signerProblem ?? undefined,
  }
}

function custodyOf(row: StoredValidator): KeyCustody {
  const [from, to] = [numberOf(row.silentFrom), numberOf(row.silentTo)]
  return {
    identity: row.signerIdentity ?? undefined,
    listedAt: row.listedAt ?? undefined,
    lostAt: row.lostAt ?? undefined,
    silence: from === undefined || to === undefined ? undefined : { from, to },
    recoveryAllowedAt: row.recoveryAllowedAt ?? undefined,
    missedEpochs: row.missedEpochs,
  }
}

function chainStateOf(row: StoredValidator): ChainState {
  return {
    index: row.chainIndex ?? undefined,
    status: BEACON_STATUSES.find((status) => status === row.beaconStatus),
    balanceGwei: BigInt(row.balanceGwei),
    effectiveBalanceGwei: BigInt(row.effectiveBalanceGwei),
    activationEpoch: numberOf(row.activationEpoch),
    exitEpoch: numberOf(row.exitEpoch),
    withdrawableEpoch: numberOf(row.withdrawableEpoch),
    slashed: row.slashed,
    depositedAt: row.depositedAt ?? undefined,
    activatedAt: row.activatedAt ?? undefined,
    exitingAt: row.exitingAt ?? undefined,
    exitedAt: row.exitedAt ?? undefined,
    withdrawnAt: row.withdrawnAt ?? undefined,
    compromisedAt: row.compromisedAt ?? undefined,
  }
}

function numberOf(value: bigint | string | null): number | undefined {
  return value === null ? undefined : Number(value)
}
