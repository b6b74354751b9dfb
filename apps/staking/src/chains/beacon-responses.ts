import { BEACON_STATUSES, type BeaconStatus } from '@trestle/ethereum/beacon-status'
import type { BlockHeader } from '@trestle/ethereum/ssz'
import { z } from 'zod'
import { Bytes, Count, Epoch, SignedGwei, Uint64 } from './upstream-json.js'

// Responses of the Beacon API (github.com/ethereum/beacon-APIs), parsed into our terms.

export interface BeaconValidator {
  readonly index: number
  readonly pubkey: Buffer
  readonly status: BeaconStatus
  readonly balanceGwei: bigint
  readonly effectiveBalanceGwei: bigint
  readonly slashed: boolean
  readonly activationEpoch?: number
  readonly exitEpoch?: number
  readonly withdrawableEpoch?: number
  readonly withdrawalCredentials: Buffer
}

/** A deposit that the chain has not credited yet; it checks the signature if the deposit creates a validator. */
export interface PendingDeposit {
  readonly pubkey: Buffer
  readonly withdrawalCredentials: Buffer
  readonly amountGwei: bigint
  readonly signature: Buffer
  readonly slot: number
}

/** The stake of one validator is to go to another one (EIP-7251). */
export interface PendingConsolidation {
  readonly sourceIndex: number
  readonly targetIndex: number
}

export interface Withdrawal {
  readonly index: bigint
  readonly validatorIndex: number
  readonly address: Buffer
  readonly amountGwei: bigint
}

export interface BeaconBlock {
  readonly slot: number
  readonly proposerIndex: number
  readonly parentRoot: Buffer
  /** Undefined in a fork that is not known here, such as Gloas: the block has no payload in it. */
  readonly payload: BeaconPayload | undefined
  /** Those in the block. From Electra on, the chain queues them and credits them later (EIP-6110). */
  readonly deposits: readonly BlockDeposit[]
  readonly queuesDeposits: boolean
}

export interface BeaconPayload {
  readonly blockHash: Buffer
  readonly feeRecipient: Buffer
  readonly withdrawals: readonly Withdrawal[]
}

interface BlockDeposit {
  readonly pubkey: Buffer
  readonly amountGwei: bigint
}

/** What an epoch's attestations earn or cost, by what they voted for. */
export interface AttestationReward {
  readonly headGwei: bigint
  readonly targetGwei: bigint
  readonly sourceGwei: bigint
  readonly inactivityGwei: bigint
}

export interface AttestationRewards {
  /** What a perfect validator earns, by effective balance. */
  readonly ideal: Map<bigint, AttestationReward>
  /** By index. */
  readonly total: Map<number, AttestationReward>
}

export interface ProposerDuty {
  readonly slot: number
  readonly validatorIndex: number
  readonly pubkey: Buffer
}

export const GenesisResponse = z
  .object({ data: z.object({ genesis_time: Count, genesis_validators_root: Bytes(32) }) })
  .transform(({ data }) => ({ genesisTime: data.genesis_time, genesisValidatorsRoot: data.genesis_validators_root }))

// The fork version is read here only: the genesis of some clients names the fork that they started with.
export const SpecResponse = z
  .object({
    data: z.object({
      GENESIS_FORK_VERSION: Bytes(4),
      CAPELLA_FORK_VERSION: Bytes(4),
      SLOTS_PER_EPOCH: Count,
      SHARD_COMMITTEE_PERIOD: Count,
      SECONDS_PER_SLOT: Count.optional(),
      SLOT_DURATION_MS: Count.optional(),
    }),
  })
  .transform(({ data }, context) => {
    const secondsPerSlot = data.SLOT_DURATION_MS ? data.SLOT_DURATION_MS / 1000 : (data.SECONDS_PER_SLOT ?? 0)
    if (!(secondsPerSlot > 0 && data.SLOTS_PER_EPOCH > 0)) context.addIssue('does not say how long a slot or an epoch is')
    return {
      genesisForkVersion: data.GENESIS_FORK_VERSION,
      capellaForkVersion: data.CAPELLA_FORK_VERSION,
      slotsPerEpoch: data.SLOTS_PER_EPOCH,
      shardCommitteePeriod: data.SHARD_COMMITTEE_PERIOD,
      secondsPerSlot,
    }
  })

export const DepositContractResponse = z
  .object({ data: z.object({ chain_id: Count, address: Bytes(20) }) })
  .transform(({ data }) => ({ chainId: data.chain_id, depositContract: data.address }))

export const SyncingResponse = z
  .object({
    data: z.object({
      head_slot: Count,
      sync_distance: Count.default(0),
      is_syncing: z.boolean(),
      is_optimistic: z.boolean().default(false),
    }),
  })
  .transform(({ data }) => {
    return { slot: data.head_slot, distance: data.sync_distance, isSyncing: data.is_syncing, optimistic: data.is_optimistic }
  })

export const FinalityResponse = z
  .object({ data: z.object({ finalized: z.object({ epoch: Count, root: Bytes(32) }) }) })
  .transform(({ data }) => ({ finalizedEpoch: data.finalized.epoch, finalizedRoot: data.finalized.root }))

export const HeaderResponse = z
  .object({
    data: z.object({
      header: z.object({
        message: z.object({ slot: Count, proposer_index: Count, parent_root: Bytes(32), state_root: Bytes(32), body_root: Bytes(32) }),
      }),
    }),
  })
  .transform(({ data: { header } }): BlockHeader => {
    const { slot, proposer_index, parent_root, state_root, body_root } = header.message
    return { slot, proposerIndex: proposer_index, parentRoot: parent_root, stateRoot: state_root, bodyRoot: body_root }
  })

const Validator = z
  .object({
    index: Count,
    balance: Uint64,
    status: z.enum(BEACON_STATUSES),
    validator: z.object({
      pubkey: Bytes(48),
      withdrawal_credentials: Bytes(32),
      effective_balance: Uint64,
      slashed: z.boolean(),
      activation_epoch: Epoch,
      exit_epoch: Epoch,
      withdrawable_epoch: Epoch,
    }),
  })
  .transform(({ index, balance, status, validator }): BeaconValidator => {
    const { pubkey, slashed, withdrawal_credentials, effective_balance } = validator
    return {
      index,
      pubkey,
      status,
      balanceGwei: balance,
      effectiveBalanceGwei: effective_balance,
      slashed,
      withdrawalCredentials: withdrawal_credentials,
      activationEpoch: validator.activation_epoch,
      exitEpoch: validator.exit_epoch,
      withdrawableEpoch: validator.withdrawable_epoch,
    }
  })

export const ValidatorsResponse = z.object({ data: z.array(Validator) }).transform(({ data }) => data)

export const PendingDepositsResponse = z
  .object({
    data: z.array(z.object({ pubkey: Bytes(48), withdrawal_credentials: Bytes(32), amount: Uint64, signature: Bytes(96), slot: Count })),
  })
  .transform(({ data }): PendingDeposit[] =>
    data.map(({ withdrawal_credentials, amount, ...deposit }) => ({
      ...deposit,
      withdrawalCredentials: withdrawal_credentials,
      amountGwei: amount,
    })),
  )

export const PendingConsolidationsResponse = z
  .object({ data: z.array(z.object({ source_index: Count, target_index: Count })) })
  .transform(({ data }): PendingConsolidation[] =>
    data.map(({ source_index, target_index }) => ({ sourceIndex: source_index, targetIndex: target_index })),
  )

const Withdrawal = z
  .object({ index: Uint64, validator_index: Uint64, address: Bytes(20), amount: Uint64 })
  // The index of a builder has a flag at 2^40 (Gloas), which a number still represents exactly.
  .transform(({ index, validator_index, address, amount }): Withdrawal => {
    return { index, validatorIndex: Number(validator_index), address, amountGwei: amount }
  })

const Payload = z
  .object({ block_hash: Bytes(32), fee_recipient: Bytes(20), withdrawals: z.array(Withdrawal).default([]) })
  .transform(({ block_hash, fee_recipient, withdrawals }): BeaconPayload => {
    return { blockHash: block_hash, feeRecipient: fee_recipient, withdrawals }
  })

const BlockDeposit = z
  .object({ pubkey: Bytes(48), amount: Uint64 })
  .transform(({ pubkey, amount }): BlockDeposit => ({ pubkey, amountGwei: amount }))

export const BeaconBlockResponse = z
  .object({
    data: z.object({
      message: z.object({
        slot: Count,
        proposer_index: Count,
        parent_root: Bytes(32),
        body: z.object({
          execution_payload: Payload.optional(),
          deposits: z.array(z.object({ data: BlockDeposit })).default([]),
          execution_requests: z.object({ deposits: z.array(BlockDeposit) }).optional(),
        }),
      }),
    }),
  })
  .transform(({ data: { message } }): BeaconBlock => {
    const { execution_payload: payload, deposits, execution_requests: requests } = message.body
    return {
      slot: message.slot,
      proposerIndex: message.proposer_index,
      parentRoot: message.parent_root,
      payload,
      deposits: [...deposits.map(({ data }) => data), ...(requests?.deposits ?? [])],
      queuesDeposits: requests !== undefined,
    }
  })

/** The root of a block or a state. */
export const RootResponse = z.object({ data: z.object({ root: Bytes(32) }) }).transform(({ data }) => data.root)

export const ProposerDutiesResponse = z
  .object({ data: z.array(z.object({ slot: Count, validator_index: Count, pubkey: Bytes(48) })) })
  .transform(({ data }): ProposerDuty[] =>
    data.map(({ slot, validator_index, pubkey }) => ({ slot, validatorIndex: validator_index, pubkey })),
  )

export const LivenessResponse = z
  .object({ data: z.array(z.object({ index: Count, is_live: z.boolean() })) })
  .transform(({ data }) => new Map(data.map(({ index, is_live }) => [index, is_live])))

const parts = { head: SignedGwei, target: SignedGwei, source: SignedGwei, inactivity: SignedGwei.default(0n) }

export const AttestationRewardsResponse = z
  .object({
    data: z.object({
      ideal_rewards: z.array(z.object({ effective_balance: Uint64, ...parts })),
      total_rewards: z.array(z.object({ validator_index: Count, ...parts })),
    }),
  })
  .transform(
    ({ data }): AttestationRewards => ({
      ideal: new Map(data.ideal_rewards.map(({ effective_balance, ...reward }) => [effective_balance, rewardOf(reward)])),
      total: new Map(data.total_rewards.map(({ validator_index, ...reward }) => [validator_index, rewardOf(reward)])),
    }),
  )

export const BlockRewardResponse = z
  .object({ data: z.object({ proposer_index: Count, total: Uint64 }) })
  .transform(({ data }) => ({ proposerIndex: data.proposer_index, totalGwei: data.total }))

export const SyncRewardsResponse = z
  .object({ data: z.array(z.object({ validator_index: Count, reward: SignedGwei })) })
  .transform(({ data }) => new Map(data.map(({ validator_index, reward }) => [validator_index, reward])))

function rewardOf(reward: { head: bigint; target: bigint; source: bigint; inactivity: bigint }): AttestationReward {
  return { headGwei: reward.head, targetGwei: reward.target, sourceGwei: reward.source, inactivityGwei: reward.inactivity }
}
