import type { BeaconValidator } from '../chains/beacon-responses.js'
import type { ChainState, ValidatorRecord } from './validator-record.js'

// What is to be done about a validator, of what is kept of it and what was seen in this pass. Nothing here asks, writes or sends.

/** What a node at the head of the chain says of one validator. */
export interface ChainObservation {
  readonly now: Date
  /** What was deposited since then may be missing here. */
  readonly askedAt: Date
  readonly epoch: number
  readonly validator?: BeaconValidator
  /** Those with a signature that the chain takes, in their order: the first of them binds the key. */
  readonly deposits: readonly ObservedDeposit[]
}

export interface ObservedDeposit {
  readonly withdrawalCredentials: Buffer
  readonly at: Date
}

/** What times depend on. */
export interface ChainTiming {
  readonly shardCommitteePeriod: number
  epochTime(epoch: number): Date
}

/** Whether signers list the key: that of its region, any other. */
export interface KeyPresence {
  readonly held: boolean
  readonly heldElsewhere: boolean
}

export type SignerStep = 'import' | 'keep' | 'release' | 'wait'
type ExitStep = 'none' | 'wait' | 'send'

/** What the chain has of a validator now; undefined where this is not to be believed, and so nothing is changed. */
export function observe(record: ValidatorRecord, seen: ChainObservation, chain: ChainTiming): ChainState | undefined {
  const { validator, now } = seen
  // A validator never leaves the chain: a node that does not know one it knew before is on another branch, or far behind.
  if (!validator && record.chain.index !== undefined) return undefined
  const binding = bindingOf(record, seen)
  if (!validator) return { ...record.chain, ...binding }
  const { index, status, balanceGwei, effectiveBalanceGwei, slashed, activationEpoch, exitEpoch, withdrawableEpoch } = validator
  return {
    ...{ index, status, balanceGwei, effectiveBalanceGwei, slashed, activationEpoch, exitEpoch, withdrawableEpoch },
    ...binding,
    activatedAt: status.startsWith('pending') ? undefined : timeOf(activationEpoch, chain),
    exitingAt: exitEpoch === undefined ? undefined : (record.chain.exitingAt ?? now),
    exitedAt: HAS_EXITED.test(status) ? timeOf(exitEpoch, chain) : undefined,
    withdrawnAt: status === 'withdrawal_done' ? (record.chain.withdrawnAt ?? now) : undefined,
  }
}

/** `seen` is of this pass, and undefined when the chain could not be read: then no key is taken away. */
export function signerStep(
  record: ValidatorRecord,
  holders: KeyPresence,
  seen: ChainObservation | undefined,
  chain: ChainTiming | undefined,
): SignerStep {
  const isReleased = record.signer.releasedAt !== undefined
  // One that was released is never imported; where a signer has it all the same it is taken away again.
  if (isReleased) return holders.held ? 'release' : 'wait'
  if (seen && chain && isFreeOfDuties(record, seen, chain)) return 'release'
  if (holders.held) return 'keep'
  if (holders.heldElsewhere || record.chain.compromisedAt || isAbandoned(record)) return 'wait'
  // What it signed with a signer that has lost it must be forbidden to the next one, and only the chain tells up to when.
  return seen || !record.signer.importedAt ? 'import' : 'wait'
}

/** Nothing will ever be signed with the key again: it never was deposited and nobody wants it, or its time is over. */
export function isFreeOfDuties(
  record: ValidatorRecord,
  { validator, deposits, askedAt, epoch }: ChainObservation,
  chain: ChainTiming,
): boolean {
  // One that was given up after the chain was asked may have been paid for in between.
  const wasAskedSince = record.removedAt !== undefined && record.removedAt <= askedAt
  if (!validator) return isAbandoned(record) && wasAskedSince && record.chain.index === undefined && deposits.length === 0
  const { status, withdrawableEpoch } = validator
  const isOver = status === 'withdrawal_possible' || status === 'withdrawal_done'
  // Whoever was chosen for a sync committee shortly before its exit signs in it for up to two periods, each of them as long as the time
  // between exit and withdrawal (consensus-specs, altair/beacon-chain.md, get_next_sync_committee).
  return isOver && withdrawableEpoch !== undefined && epoch >= withdrawableEpoch + chain.shardCommitteePeriod
}

/** consensus-specs, electra/beacon-chain.md, process_voluntary_exit: what the chain would refuse is not sent. */
export function exitStep(record: ValidatorRecord, seen: ChainObservation, { shardCommitteePeriod }: ChainTiming): ExitStep {
  const { validator, epoch } = seen
  if (!record.exitRequestedAt || record.chain.compromisedAt || !validator || isCompromised(record, seen)) return 'none'
  const { status, activationEpoch, exitEpoch } = validator
  if (exitEpoch !== undefined) return 'none'
  const isActive = status === 'active_ongoing' && activationEpoch !== undefined
  return isActive && epoch >= activationEpoch + shardCommitteePeriod ? 'send' : 'wait'
}

/** Whom the key belongs to by what was paid for it; what is known of that stays. */
function bindingOf(record: ValidatorRecord, seen: ChainObservation): Pick<ChainState, 'depositedAt' | 'compromisedAt'> {
  const { validator, deposits, now } = seen
  const deposit = deposits.find((each) => isOurs(record, each))
  const isDeposited = deposit !== undefined || (validator !== undefined && isOurs(record, validator))
  return {
    depositedAt: record.chain.depositedAt ?? (isDeposited ? (deposit?.at ?? now) : undefined),
    compromisedAt: record.chain.compromisedAt ?? (isCompromised(record, seen) ? now : undefined),
  }
}

/** The first deposit binds the key: what comes later tops the validator up, whatever credentials it names. */
function isCompromised(record: ValidatorRecord, { validator, deposits }: ChainObservation): boolean {
  if (validator) return !isOurs(record, validator)
  const [first] = deposits
  return first !== undefined && !isOurs(record, first) && record.chain.depositedAt === undefined
}

/** EIP-7251: credentials of the kind 0x01 become 0x02 when their owner asks the chain for it. */
function isOurs(record: ValidatorRecord, { withdrawalCredentials }: { readonly withdrawalCredentials: Buffer }): boolean {
  const isSwitched = record.withdrawalCredentials[0] === 1 && withdrawalCredentials[0] === 2
  return record.withdrawalCredentials.subarray(isSwitched ? 1 : 0).equals(withdrawalCredentials.subarray(isSwitched ? 1 : 0))
}

/** Its owner gave it up before anything was paid. */
function isAbandoned(record: ValidatorRecord): boolean {
  return record.removedAt !== undefined && record.chain.depositedAt === undefined && record.chain.index === undefined
}

// The validator may have been asked about after the epoch: what it has become is its status.
const HAS_EXITED = /^(exited|withdrawal)/

function timeOf(epoch: number | undefined, chain: ChainTiming): Date | undefined {
  return epoch === undefined ? undefined : chain.epochTime(epoch)
}
