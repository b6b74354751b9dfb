import { createHash } from 'node:crypto'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import type {
  CreatedValidator,
  NewValidator,
  ValidatorPhase,
  Validator as ValidatorReply,
  ValidatorStatus,
} from '@trestle/contracts/staking/validators'
import { formatAddress, parseAddress } from '@trestle/ethereum/address'
import type { BeaconStatus } from '@trestle/ethereum/beacon-status'
import { WEI_PER_GWEI } from '@trestle/ethereum/deposit'
import { InvalidEthereumData } from '@trestle/ethereum/malformed'
import { credentialsKindOf, withdrawalAddressOf } from '@trestle/ethereum/withdrawal-credentials'
import { Problem } from '@trestle/problem/problem'
import type { ValidatorRecord } from '../lifecycle/validator-record.js'

/** How many validators somebody created: those that were not removed, and all within the last 24 hours. */
export interface ValidatorCounts {
  readonly owned: number
  readonly createdToday: number
}

/** A validator as a request names it: in the organization that the request is about. */
export interface Ownership {
  readonly organizationId: string
  readonly chain: string
  readonly pubkey: string
}

/** Who creates a validator, for which organization, and where. */
export interface Creator {
  readonly userId: string
  readonly organizationId: string
  readonly chain: string
}

/** A validator with its owner: its desired and its observed state. */
export interface OwnedValidator extends ValidatorRecord {
  readonly chainName: string
  /** Who created it. */
  readonly userId: string
  readonly organizationId: string
  readonly createdAt: Date
  readonly depositData: Buffer
  /** What its balance gained or lost for no known reason. */
  readonly unexplainedGwei: bigint
  /** The index of the validator that a consolidation gave its stake to (EIP-7251). */
  readonly consolidatedInto: number | null
  /** Why no node of its chain could be read at last. */
  readonly chainProblem?: string
  /** Of the request that created it, if that had an Idempotency-Key. */
  readonly requestHash?: Buffer
}

// After so long the chain may have moved on.
const STALE_MS = 10 * 60_000

/** One epoch may be missed by a vote that came late. */
const MISSED_EPOCHS = 2

export function describeValidator(validator: OwnedValidator, now: Date): ValidatorReply {
  const { chain, signer } = validator
  return {
    id: `${validator.chainName}:${validator.pubkey.toString('hex')}`,
    ...common(validator, now),
    feeAddress: formatAddress(validator.feeAddress),
    startedAt: validator.createdAt.toISOString(),
    user: validator.userId,
    organization: validator.organizationId,
    withdrawalAddress: formatAddress(withdrawalAddressOf(validator.withdrawalCredentials) ?? Buffer.alloc(20)),
    compounding: credentialsKindOf(validator.withdrawalCredentials) === 'compounding',
    effectiveBalance: weiOf(chain.effectiveBalanceGwei),
    index: chain.index ?? null,
    phase: phaseOf(validator),
    note: noteOf(validator, statusOf(validator, now)),
    slashed: chain.slashed,
    readyAt: timeOf(signer.readyAt),
    depositedAt: timeOf(chain.depositedAt),
    activatedAt: timeOf(chain.activatedAt),
    exitRequestedAt: timeOf(validator.exitRequestedAt),
    exitingAt: timeOf(chain.exitingAt),
    exitedAt: timeOf(chain.exitedAt),
    withdrawnAt: timeOf(chain.withdrawnAt),
    depositData: chain.depositedAt || chain.compromisedAt ? null : `0x${validator.depositData.toString('hex')}`,
    asOf: timeOf(validator.observedAt),
    ...(validator.removedAt && { removedAt: validator.removedAt.toISOString() }),
    ...(validator.restorableUntil && { restorableUntil: validator.restorableUntil.toISOString() }),
  }
}

export function describeCreated(validator: OwnedValidator, now: Date): CreatedValidator {
  return { ...common(validator, now), depositData: `0x${validator.depositData.toString('hex')}` }
}

function common(validator: OwnedValidator, now: Date) {
  return {
    chain: validator.chainName,
    pubkey: validator.pubkey.toString('hex'),
    region: validator.region,
    balance: weiOf(validator.chain.balanceGwei),
    status: statusOf(validator, now),
  }
}

const PHASES = {
  pending_initialized: 'queued',
  pending_queued: 'queued',
  active_ongoing: 'active',
  active_exiting: 'exiting',
  active_slashed: 'exiting',
  exited_unslashed: 'exited',
  exited_slashed: 'exited',
  withdrawal_possible: 'exited',
  withdrawal_done: 'withdrawn',
} satisfies Record<BeaconStatus, ValidatorPhase>

const STATUSES = {
  created: 'pending',
  ready: 'pending',
  deposited: 'pending',
  queued: 'pending',
  active: 'active',
  exiting: 'exiting',
  exited: 'exited',
  withdrawn: 'withdrawn',
  spoiled: 'pending',
} satisfies Record<ValidatorPhase, ValidatorStatus>

const NOTES = {
  created: 'The key is being imported by the validator client: do not deposit yet.',
  ready: 'Ready: send 32 ETH with depositData to the deposit contract.',
  deposited: 'The deposit has arrived. The chain processes it when it is final.',
  queued: 'Waiting in the activation queue of the chain.',
  active: null,
  exiting: null,
  exited: null,
  withdrawn: null,
  spoiled: 'Someone has deposited for this key with another withdrawal address. Never send ETH to it; create another validator.',
} satisfies Record<ValidatorPhase, string | null>

const RELEASED = 'It was deleted before the deposit arrived, and its key with it: the key is being imported again.'

/** As the chain has it; before the chain knows the validator, as its signer has it. */
export function phaseOf({ chain, signer }: Pick<OwnedValidator, 'chain' | 'signer'>): ValidatorPhase {
  if (chain.compromisedAt) return 'spoiled'
  if (chain.status) return PHASES[chain.status]
  if (chain.depositedAt) return 'deposited'
  return signer.readyAt ? 'ready' : 'created'
}

/** The phase for callers that need no more. What has ended stays so, even if the chain can no longer be read. */
export function statusOf(validator: OwnedValidator, now: Date): ValidatorStatus {
  const status = STATUSES[phaseOf(validator)]
  if (status === 'withdrawn') return status
  if (validator.chain.slashed) return 'slashed'
  const observedAt = validator.observedAt ?? validator.createdAt
  if (now.getTime() - observedAt.getTime() > STALE_MS) return 'unknown'
  return validator.exitRequestedAt && status !== 'exited' ? 'exiting' : status
}

/** The one thing worth knowing now; null if nothing needs attention. */
function noteOf(validator: OwnedValidator, known: ValidatorStatus): string | null {
  const { chain, signer, feeAddress } = validator
  const note = warningOf(validator, known) ?? exitNoteOf(validator) ?? NOTES[phaseOf({ chain, signer })]
  if (note) return note
  const isOutdated = !signer.releasedAt && signer.feeAddress && !signer.feeAddress.equals(feeAddress)
  return isOutdated ? 'The new fee address is being set in the validator client.' : ledgerNoteOf(validator)
}

function warningOf(validator: OwnedValidator, known: ValidatorStatus): string | undefined {
  const { chain, signer, custody, exitRequestedAt } = validator
  if (chain.compromisedAt) return NOTES.spoiled
  if (chain.slashed) return 'Slashed: the chain ends this validator by itself.'
  if (known === 'unknown') return unknownNoteOf(validator)
  if (signer.problem) return signer.problem
  const { missedEpochs = 0 } = custody
  if (missedEpochs >= MISSED_EPOCHS) return `Its validator client has signed nothing for ${missedEpochs} epochs.`
  return signer.releasedAt && chain.status === 'active_ongoing' && !exitRequestedAt ? RELEASED : undefined
}

function exitNoteOf({ chain, signer, exitRequestedAt, exitProblem }: OwnedValidator): string | undefined {
  const status = STATUSES[phaseOf({ chain, signer })]
  if (!exitRequestedAt || (status !== 'pending' && status !== 'active')) return undefined
  return exitProblem
    ? `The exit is refused, and sent again in the next epoch: ${exitProblem}`
    : 'The exit is sent as soon as the chain accepts it.'
}

function unknownNoteOf({ chainProblem }: OwnedValidator): string {
  return `The chain cannot be read: ${chainProblem ?? 'no node has answered.'}`
}

function ledgerNoteOf({ consolidatedInto, unexplainedGwei }: OwnedValidator): string | null {
  if (consolidatedInto !== null) return `Consolidated: its stake went to validator ${consolidatedInto}.`
  return unexplainedGwei === 0n ? null : `Its balance changed by ${unexplainedGwei} gwei for a reason that no node shows. It is in no bill.`
}

export function unknownValidator(): Problem {
  return new Problem('unknown', 'UnknownValidator', 'You have no such validator.')
}

/** Deposited, and not yet withdrawn. */
export function isStaking({ chain }: Pick<OwnedValidator, 'chain'>): boolean {
  return chain.depositedAt !== undefined && chain.withdrawnAt === undefined
}

/** The address, or a problem that names the member it was in. */
export function parseMemberAddress(text: string, member: string): Buffer {
  try {
    return parseAddress(text)
  } catch (error) {
    throw invalidAddress(member, error)
  }
}

export function invalidAddress(member: string, error: unknown): unknown {
  if (!(error instanceof InvalidEthereumData)) return error
  const { message } = error
  return new Problem('invalid', 'InvalidAddress', message, { errors: [{ path: `body.${member}`, message }] })
}

/** Distinguishes a repeated request from another one that reuses its Idempotency-Key; a shared organization is part of what is requested. */
export function requestHashOf({ userId, organizationId, chain }: Creator, given: NewValidator): Buffer {
  const { withdrawalAddress, feeAddress, region, compounding } = given
  const shared = organizationId === personalOrganizationOf(userId) ? [] : [organizationId]
  return createHash('sha256')
    .update(JSON.stringify([chain, withdrawalAddress, feeAddress ?? null, region ?? null, compounding, ...shared]))
    .digest()
}

export function weiOf(gwei: bigint): string {
  return String(gwei * WEI_PER_GWEI)
}

function timeOf(time: Date | undefined): string | null {
  return time?.toISOString() ?? null
}
