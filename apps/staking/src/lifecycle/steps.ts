import type { BeaconValidator } from '../chains/beacon-responses.js'
import type { ChainState, KeyCustody, ValidatorRecord } from './validator-record.js'

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
  epochAt(now: Date): number
}

/** Whether signers list the key: the signer of its region, any other signer. */
export interface KeyPresence {
  readonly held: boolean
  readonly heldElsewhere: boolean
  /** Undefined if what answers there is not the signer that the region is bound to. */
  readonly binding?: SignerBinding
}

/** The signer that a region is bound to. */
export interface SignerBinding {
  readonly identity: string
  /** Since when passes follow one another; what was done before may be missing in a database that was restored. */
  readonly watchedSince: Date
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

/** Why a key is not imported. */
export type ImportObstacle =
  | 'compromised'
  | 'deleted'
  | 'held-elsewhere'
  // What answers for its region is not the signer that the region is bound to.
  | 'other-signer'
  | 'chain-unread'
  // Another signer may have it: an administrator has to make sure that none does.
  | 'not-allowed'
  // The validator may have duties, and the chain has not shown yet that nobody signs for it.
  | 'not-silent'

/** `observation` is undefined if the chain could not be read in this pass: then no key is released or imported. */
export function signerStep(
  record: ValidatorRecord,
  presence: KeyPresence,
  observation: ChainObservation | undefined,
  chain: ChainTiming | undefined,
): SignerStep {
  const { held, binding } = presence
  const isReleased = record.signer.releasedAt !== undefined
  if (isOver(record, observation, chain)) {
    // Another signer than the one that had the key proves nothing by not having it, and the chain may know of a deposit that this database does not.
    const isDue = held || !isReleased
    return isDue && binding && observation ? 'release' : 'wait'
  }
  if (held) return isReleased && !observation ? 'wait' : 'keep'
  return importObstacle(record, presence, observation, chain) ? 'wait' : 'import'
}

/** No signer needs the key any more. */
function isOver(record: ValidatorRecord, observation: ChainObservation | undefined, chain: ChainTiming | undefined): boolean {
  if (record.signer.releasedAt && !isPaidFor(record, observation)) return true
  return observation !== undefined && chain !== undefined && isFreeOfDuties(record, observation, chain)
}

/** Of a key that its signer does not list. A key is imported only where it is certain that nobody else can sign with it. */
export function importObstacle(
  record: ValidatorRecord,
  { heldElsewhere, binding }: KeyPresence,
  observation: ChainObservation | undefined,
  chain: ChainTiming | undefined,
): ImportObstacle | undefined {
  if (record.chain.compromisedAt) return 'compromised'
  if (isAbandoned(record) && !isPaidFor(record, observation)) return 'deleted'
  if (heldElsewhere) return 'held-elsewhere'
  if (!binding) return 'other-signer'
  if (!observation || !chain) return 'chain-unread'
  return doubtOf(record, binding, observation, chain)
}

/** Whether somebody else may sign with a key, as far as this database and the chain show. */
function doubtOf(
  record: ValidatorRecord,
  binding: SignerBinding,
  observation: ChainObservation,
  chain: ChainTiming,
): ImportObstacle | undefined {
  if (isCompromised(record, observation)) return 'compromised'
  if (isMissing(record, observation)) return 'chain-unread'
  const isDutiful = mayHaveDuties(observation)
  if (!isDutiful && !mayBeElsewhere(record, binding)) return undefined
  if (!isAllowed(record, observation.now)) return 'not-allowed'
  return isDutiful && !isSilent(record.custody, observation, chain) ? 'not-silent' : undefined
}

/** Whether a key that nobody lists needs to be watched on the chain before it is imported. */
export function needsWatching(record: ValidatorRecord, presence: KeyPresence, observation: ChainObservation): boolean {
  return !presence.held && mayHaveDuties(observation) && !record.chain.compromisedAt && !isMissing(record, observation)
}

/** The chain is about to give it duties, or has. */
export function mayHaveDuties({ validator, epoch }: ChainObservation): boolean {
  if (!validator) return false
  const { status, activationEpoch } = validator
  return !status.startsWith('pending') || (activationEpoch !== undefined && activationEpoch <= epoch + 1)
}

/** It should have signed in each of the last epochs. */
export function isOnDuty({ validator, epoch }: ChainObservation): boolean {
  if (!validator) return false
  const { status, activationEpoch } = validator
  return (status === 'active_ongoing' || status === 'active_exiting') && activationEpoch !== undefined && activationEpoch + 2 < epoch
}

/** Some signer may have the key, as far as the database knows and as far as it can be trusted. */
function mayBeElsewhere({ custody, signer, createdAt }: ValidatorRecord, { identity, watchedSince }: SignerBinding): boolean {
  if (custody.listedAt) return true
  if (signer.releasedAt) return signer.releasedAt < watchedSince
  if (signer.importedAt) return custody.identity !== identity || createdAt < watchedSince
  return createdAt < watchedSince
}

function isAllowed({ custody: { recoveryAllowedAt, lostAt } }: ValidatorRecord, now: Date): boolean {
  if (!recoveryAllowedAt || (lostAt && recoveryAllowedAt < lostAt)) return false
  return now.getTime() - recoveryAllowedAt.getTime() <= ALLOWED_MS
}

/** Up to now, and on a chain that keeps up with the clock: one that stands still makes everybody look silent. */
function isSilent({ silence, lostAt }: KeyCustody, { epoch, now }: ChainObservation, chain: ChainTiming): boolean {
  if (!silence || !isCurrent(epoch, now, chain)) return false
  const isLong = silence.to - silence.from + 1 >= SILENT_EPOCHS && (!lostAt || chain.epochTime(silence.from + 1) > lostAt)
  return isLong && silence.to >= epoch - 2
}

/**
 * Up to which epoch the key may have been signed with; undefined if it never left this database. By the clock where the validator may have
 * duties: the chain does not show everything that was signed.
 */
export function lastSignedEpoch(record: ValidatorRecord, observation: ChainObservation, chain: ChainTiming): number | undefined {
  const { epoch, now } = observation
  if (mayHaveDuties(observation)) return Math.max(epoch, chain.epochAt(now))
  return record.signer.importedAt || isPaidFor(record, observation) ? epoch : undefined
}

/** Whether the head fits the clock. */
export function isCurrent(epoch: number, now: Date, chain: Pick<ChainTiming, 'epochAt'>): boolean {
  return epoch + 1 >= chain.epochAt(now)
}

/** A validator never leaves the chain: this node is on another branch, or far behind. */
function isMissing({ chain }: ValidatorRecord, { validator }: ChainObservation): boolean {
  return chain.index !== undefined && !validator
}

/** The chain has a deposit of ours, or the validator. */
function isPaidFor(record: ValidatorRecord, observation: ChainObservation | undefined): boolean {
  const { depositedAt, index, withdrawnAt } = record.chain
  if (withdrawnAt) return false
  const isSeen =
    observation !== undefined && (observation.validator !== undefined || observation.deposits.some((each) => isOurs(record, each)))
  return depositedAt !== undefined || index !== undefined || isSeen
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

/** So many whole epochs without a signature prove that nobody signs. */
const SILENT_EPOCHS = 3

/** What an administrator made sure of does not stay true for ever. */
const ALLOWED_MS = 2 * 3_600_000

// The exit epoch may lie in the past or the future: the status says whether it has passed.
const HAS_EXITED = /^(exited|withdrawal)/

function timeOf(epoch: number | undefined, chain: ChainTiming): Date | undefined {
  return epoch === undefined ? undefined : chain.epochTime(epoch)
}
