import type { BeaconValidator } from '../chains/beacon-responses.js'
import type { ChainState, ValidatorRecord } from './validator-record.js'

// Decides what to do with a validator, from its record and what this pass observed.

/** What a node at the head of the chain reports about one validator. */
export interface ChainObservation {
  readonly now: Date
  /** Later deposits may be missing here. */
  readonly askedAt: Date
  readonly epoch: number
  readonly validator?: BeaconValidator
  /** Those with a valid signature, in order: the first binds the key. */
  readonly deposits: readonly ObservedDeposit[]
}

export interface ObservedDeposit {
  readonly withdrawalCredentials: Buffer
  readonly at: Date
}

export interface ChainTiming {
  readonly shardCommitteePeriod: number
  epochTime(epoch: number): Date
}

/** Whether signers list the key: the signer of its region, any other signer. */
export interface KeyPresence {
  readonly held: boolean
  readonly heldElsewhere: boolean
}

export type SignerStep = 'import' | 'keep' | 'release' | 'wait'
type ExitStep = 'none' | 'wait' | 'send'

/** The chain's state of a validator now; undefined if it is not credible, so that nothing changes. */
export function observe(record: ValidatorRecord, observation: ChainObservation, chain: ChainTiming): ChainState | undefined {
  const { validator, now } = observation
  // A validator never leaves the chain: a node that no longer has one is on another branch, or far behind.
  if (!validator && record.chain.index !== undefined) return undefined
  const binding = bindingOf(record, observation)
  if (!validator) return { ...record.chain, ...binding }
  const { index, status, balanceGwei, effectiveBalanceGwei, slashed, activationEpoch, exitEpoch, withdrawableEpoch } = validator
  return {
    ...{ index, status, balanceGwei, effectiveBalanceGwei, slashed, activationEpoch, exitEpoch, withdrawableEpoch },
    ...binding,
    activatedAt: status.startsWith('pending') ? undefined : timeOf(activationEpoch, chain),
    exitingAt: exitEpoch === undefined ? undefined : (record.chain.exitingAt ?? now),
    exitedAt: HAS_EXITED.test(status) ? timeOf(exitEpoch, chain) : undefined,
    // A penalty may be cancelled, or somebody tops it up: it was paid out all the same.
    withdrawnAt: record.chain.withdrawnAt ?? (status === 'withdrawal_done' ? now : undefined),
  }
}

/** `observation` is undefined if the chain could not be read in this pass: then no key is released. */
export function signerStep(
  record: ValidatorRecord,
  holders: KeyPresence,
  observation: ChainObservation | undefined,
  chain: ChainTiming | undefined,
): SignerStep {
  const isReleased = record.signer.releasedAt !== undefined
  // A released key is never imported again; if a signer has it all the same, it is deleted again.
  if (isReleased) return holders.held ? 'release' : 'wait'
  if (observation && chain && isFreeOfDuties(record, observation, chain)) return 'release'
  if (holders.held) return 'keep'
  if (holders.heldElsewhere || record.chain.compromisedAt || isAbandoned(record)) return 'wait'
  // The next signer must not repeat what one that lost the key has signed; only the chain says up to when that may be.
  return observation || !record.signer.importedAt ? 'import' : 'wait'
}

/** Nothing will be signed with the key again: it was deleted before any deposit, or the validator is past its last duty. */
export function isFreeOfDuties(
  record: ValidatorRecord,
  { validator, deposits, askedAt, epoch, now }: ChainObservation,
  chain: ChainTiming,
): boolean {
  // If it was deleted after the chain was read, a deposit may have been made in between.
  const wasReadSince = record.removedAt !== undefined && record.removedAt <= askedAt
  if (!validator)
    return isAbandoned(record) && isPastRestoring(record, now) && wasReadSince && record.chain.index === undefined && deposits.length === 0
  const { status, withdrawableEpoch } = validator
  const isOver = status === 'withdrawal_possible' || status === 'withdrawal_done'
  // A validator chosen for a sync committee shortly before its exit signs for up to two periods, each as long as the time between
  // exit and withdrawal (consensus-specs, altair/beacon-chain.md, get_next_sync_committee).
  return isOver && withdrawableEpoch !== undefined && epoch >= withdrawableEpoch + chain.shardCommitteePeriod
}

/** Does not send what the chain would refuse (consensus-specs, electra/beacon-chain.md, process_voluntary_exit). */
export function exitStep(record: ValidatorRecord, observation: ChainObservation, { shardCommitteePeriod }: ChainTiming): ExitStep {
  const { validator, epoch } = observation
  if (!record.exitRequestedAt || record.chain.compromisedAt || !validator || isCompromised(record, observation)) return 'none'
  const { status, activationEpoch, exitEpoch } = validator
  if (exitEpoch !== undefined) return 'none'
  const isActive = status === 'active_ongoing' && activationEpoch !== undefined
  return isActive && epoch >= activationEpoch + shardCommitteePeriod ? 'send' : 'wait'
}

/** Whose key it is by its deposits; once known, that stays. */
function bindingOf(record: ValidatorRecord, observation: ChainObservation): Pick<ChainState, 'depositedAt' | 'compromisedAt'> {
  const { validator, deposits, now } = observation
  const deposit = deposits.find((each) => isOurs(record, each))
  const isDeposited = deposit !== undefined || (validator !== undefined && isOurs(record, validator))
  return {
    depositedAt: record.chain.depositedAt ?? (isDeposited ? (deposit?.at ?? now) : undefined),
    compromisedAt: record.chain.compromisedAt ?? (isCompromised(record, observation) ? now : undefined),
  }
}

/** The first deposit binds the key. Later ones top the validator up, whatever credentials they name. */
function isCompromised(record: ValidatorRecord, { validator, deposits }: ChainObservation): boolean {
  if (validator) return !isOurs(record, validator)
  const [first] = deposits
  return first !== undefined && !isOurs(record, first) && record.chain.depositedAt === undefined
}

/** EIP-7251: the owner can switch 0x01 credentials to 0x02 on the chain. */
function isOurs(record: ValidatorRecord, { withdrawalCredentials }: { readonly withdrawalCredentials: Buffer }): boolean {
  const isSwitched = record.withdrawalCredentials[0] === 1 && withdrawalCredentials[0] === 2
  return record.withdrawalCredentials.subarray(isSwitched ? 1 : 0).equals(withdrawalCredentials.subarray(isSwitched ? 1 : 0))
}

/** Its owner deleted it before any deposit. */
function isAbandoned(record: ValidatorRecord): boolean {
  return record.removedAt !== undefined && record.chain.depositedAt === undefined && record.chain.index === undefined
}

/** A margin for the clock of whoever restores it: what is restored has its key. */
function isPastRestoring({ restorableUntil }: ValidatorRecord, now: Date): boolean {
  return restorableUntil === undefined || now.getTime() >= restorableUntil.getTime() + RESTORE_MARGIN_MS
}

const RESTORE_MARGIN_MS = 5 * 60_000

// The exit epoch may lie in the past or the future: the status says whether it has passed.
const HAS_EXITED = /^(exited|withdrawal)/

function timeOf(epoch: number | undefined, chain: ChainTiming): Date | undefined {
  return epoch === undefined ? undefined : chain.epochTime(epoch)
}
