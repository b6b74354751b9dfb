import { createHash } from 'node:crypto'
import type { CreatedValidator, NewValidator, Phase, Status, Validator as ValidatorReply } from '@trestle/contracts/staking/validators'
import { formatAddress, parseAddress } from '@trestle/ethereum/address'
import { InvalidEthereumData } from '@trestle/ethereum/malformed'
import { credentialsKindOf, withdrawalAddressOf } from '@trestle/ethereum/withdrawal-credentials'
import { Problem } from '@trestle/problem/problem'
import type { ValidatorRecord } from '../lifecycle/validator-record.js'

/** A validator: whose it is, what is wanted of it, and what was seen of it. */
export interface OwnedValidator extends ValidatorRecord {
  readonly chainName: string
  readonly userId: string
  readonly createdAt: Date
  readonly depositData: Buffer
}

const WEI_PER_GWEI = 1_000_000_000n
// A chain that has not been seen for so long may say something else by now.
const STALE_MS = 10 * 60_000

export function describeValidator(validator: OwnedValidator, now: Date): ValidatorReply {
  const { chain, signer } = validator
  return {
    id: `${validator.chainName}:${validator.pubkey.toString('hex')}`,
    ...common(validator, now),
    feeAddress: formatAddress(validator.feeAddress),
    startedAt: validator.createdAt.toISOString(),
    user: validator.userId,
    withdrawalAddress: formatAddress(withdrawalAddressOf(validator.withdrawalCredentials) ?? Buffer.alloc(20)),
    compounding: credentialsKindOf(validator.withdrawalCredentials) === 'compounding',
    effectiveBalance: weiOf(chain.effectiveBalanceGwei),
    index: chain.index ?? null,
    phase: phaseOf(validator),
    note: noteOf(validator),
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

/** As the chain has it; of one it has nothing of, as its signer has it. */
export function phaseOf({ chain, signer }: Pick<OwnedValidator, 'chain' | 'signer'>): Phase {
  if (chain.compromisedAt) return 'spoiled'
  switch (chain.status) {
    case 'withdrawal_done':
      return 'withdrawn'
    case 'exited_unslashed':
    case 'exited_slashed':
    case 'withdrawal_possible':
      return 'exited'
    case 'active_exiting':
    case 'active_slashed':
      return 'exiting'
    case 'active_ongoing':
      return 'active'
    case 'pending_initialized':
    case 'pending_queued':
      return 'queued'
    default:
      if (chain.depositedAt) return 'deposited'
      return signer.readyAt ? 'ready' : 'created'
  }
}

/** What callers without an eye for phases are told. What has ended stays so, whether the chain can be read or not. */
export function statusOf(validator: OwnedValidator, now: Date): Status {
  const phase = phaseOf(validator)
  if (phase === 'withdrawn') return 'withdrawn'
  if (validator.chain.slashed) return 'slashed'
  const seenAt = validator.observedAt ?? validator.createdAt
  if (now.getTime() - seenAt.getTime() > STALE_MS) return 'unknown'
  if (phase === 'exited') return 'exited'
  if (phase === 'exiting' || validator.exitRequestedAt) return 'exiting'
  return phase === 'active' ? 'active' : 'pending'
}

/** The one thing worth knowing now; null where all goes by itself. */
function noteOf({ chain, signer, exitRequestedAt, feeAddress }: OwnedValidator): string | null {
  if (chain.compromisedAt)
    return 'Somebody has deposited for this key with another withdrawal address. Never send ETH to it; create another validator.'
  if (chain.slashed) return 'It was slashed and leaves the chain by itself.'
  if (signer.problem) return signer.problem
  const phase = phaseOf({ chain, signer })
  if (exitRequestedAt && !['exiting', 'exited', 'withdrawn'].includes(phase)) return 'It exits as soon as the chain takes its exit.'
  if (phase === 'created') return 'Its key is being brought to its validator client: wait with the deposit.'
  if (phase === 'ready') return 'Everything is ready: send 32 ETH with its depositData to the deposit contract.'
  if (phase === 'deposited') return 'The deposit is seen; the chain takes it in once it is final.'
  if (phase === 'queued') return 'It waits in the queue of the chain for its activation.'
  if (!signer.releasedAt && signer.feeAddress && !signer.feeAddress.equals(feeAddress))
    return 'Its new fee address is on the way to its validator client.'
  return null
}

/** Has been paid for, and not been paid out. */
export function isStaking({ chain }: Pick<OwnedValidator, 'chain'>): boolean {
  return chain.depositedAt !== undefined && chain.withdrawnAt === undefined
}

/** The address, or a problem that names the member it stood in. */
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

/** What was asked, so that a repeated key can be told from one that is used for something else. */
export function requestHash(chain: string, { withdrawalAddress, feeAddress, region, compounding }: NewValidator): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([chain, withdrawalAddress, feeAddress ?? null, region ?? null, compounding]))
    .digest()
}

function weiOf(gwei: bigint): string {
  return String(gwei * WEI_PER_GWEI)
}

function timeOf(time: Date | undefined): string | null {
  return time?.toISOString() ?? null
}
