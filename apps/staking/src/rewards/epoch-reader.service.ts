import { Injectable } from '@nestjs/common'
import { withdrawalAddressOf } from '@trestle/ethereum/withdrawal-credentials'
import { type BeaconClient, mapLimited } from '../chains/beacon.client.js'
import type { BeaconBlock, BeaconValidator } from '../chains/beacon-responses.js'
import type { StakingChain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import { type BlockReward, BlockRewardsService } from './block-rewards.service.js'
import { BreakdownService } from './breakdown.service.js'
import type { BalanceSnapshot, LedgerMember } from './ledger.js'
import { type MissedProposal, MissedProposalsService } from './missed-proposals.service.js'
import { creditedGwei } from './pending-deposits.js'
import type { Breakdown } from './reward-parts.js'

/** A validator that was created here and is not in the ledger yet. */
interface Candidate {
  readonly serial: number
  readonly pubkey: Buffer
  readonly withdrawalCredentials: Buffer
}

interface MemberState extends BalanceSnapshot {
  readonly serial: number
  readonly pubkey: Buffer
  readonly isActive: boolean
  /** In the epoch before, whose attestations are paid in this one. Slashed validators earn nothing by attesting. */
  readonly hadToAttest: boolean
}

interface Arrival extends MemberState {
  /** Undefined if the chain created it in this epoch. */
  readonly opening: { readonly balanceGwei: bigint; readonly effectiveBalanceGwei: bigint } | undefined
}

export interface EpochData {
  readonly members: readonly MemberState[]
  readonly arrivals: readonly Arrival[]
  /** The blocks after the epoch's first slot, up to the first slot of the next epoch. */
  readonly blocks: readonly BeaconBlock[]
  readonly withdrawnGwei: ReadonlyMap<number, bigint>
  readonly breakdown: Breakdown | undefined
  /** Undefined if no node named the proposers of the empty slots. */
  readonly missedProposals: readonly MissedProposal[] | undefined
  readonly rewards: readonly BlockReward[]
}

const MAX_REQUESTS = 8
const NOTHING_HAPPENED = { blocks: [], withdrawnGwei: new Map(), breakdown: undefined, missedProposals: [], rewards: [] }

/**
 * Reads what happened in an epoch: between the state at its first slot and the state at the first slot of the next one. A state includes
 * the block of its slot, so these are the blocks after the first slot, and the first block of the next epoch.
 */
@Injectable()
export class EpochReaderService {
  constructor(
    private readonly chains: ChainsService,
    private readonly breakdowns: BreakdownService,
    private readonly proposals: MissedProposalsService,
    private readonly blocks: BlockRewardsService,
  ) {}

  async read(
    chain: StakingChain,
    epoch: number,
    followed: { members: readonly LedgerMember[]; candidates: readonly Candidate[] },
  ): Promise<EpochData> {
    const beacon = this.chains.beacon(chain.settings.name)
    const opening = epoch * chain.slotsPerEpoch
    const closing = opening + chain.slotsPerEpoch
    const members = await findMembers(beacon, { slot: closing, epoch }, followed.members)
    const arrivals = await this.findArrivals(beacon, { opening, closing, epoch }, followed.candidates)
    const states = [...members, ...arrivals]
    if (states.length === 0) return { members, arrivals, ...NOTHING_HAPPENED }
    const slots = Array.from({ length: chain.slotsPerEpoch }, (_, i) => opening + 1 + i)
    const blocks = (await mapLimited(slots, MAX_REQUESTS, (slot) => beacon.block(slot))).filter((block) => block !== undefined)
    const breakdown = await this.breakdowns.read(beacon, { epoch, blocks, indices: new Set(states.map(({ index }) => index)) })
    const missedProposals = await this.proposals.read(chain, emptySlots(slots, blocks), states)
    const rewards = await this.blocks.read(chain.settings.name, blocks, states)
    return { members, arrivals, blocks, withdrawnGwei: withdrawnIn(blocks), breakdown, missedProposals, rewards }
  }

  /** What 32 ETH earned: from the epoch's breakdown, or else from a node. */
  async idealGwei({ settings }: StakingChain, epoch: number, breakdown?: Breakdown): Promise<bigint | undefined> {
    if (breakdown?.idealGwei !== undefined) return breakdown.idealGwei
    return epoch === 0 ? undefined : this.breakdowns.idealGwei(this.chains.beacon(settings.name), epoch - 1)
  }

  /** What was credited in the epoch, by public key; empty if no node has the queue. */
  async credited(chain: StakingChain, epoch: number): Promise<ReadonlyMap<string, bigint>> {
    const beacon = this.chains.beacon(chain.settings.name)
    const before = await beacon.pendingDeposits(String(epoch * chain.slotsPerEpoch))
    const after = await beacon.pendingDeposits(String((epoch + 1) * chain.slotsPerEpoch))
    return before && after ? creditedGwei(before, after) : new Map()
  }

  private async findArrivals(
    beacon: BeaconClient,
    { opening, closing, epoch }: { opening: number; closing: number; epoch: number },
    candidates: readonly Candidate[],
  ): Promise<Arrival[]> {
    const byPubkey = new Map(candidates.map((candidate) => [candidate.pubkey.toString('hex'), candidate]))
    const validators = await beacon.validators(
      String(closing),
      candidates.map(({ pubkey }) => pubkey),
    )
    const ours = validators.flatMap((validator) => {
      const candidate = byPubkey.get(validator.pubkey.toString('hex'))
      return candidate && paysExpectedAddress(candidate, validator) ? [{ validator, serial: candidate.serial }] : []
    })
    const before = await beacon.validators(
      String(opening),
      ours.map(({ validator }) => validator.pubkey),
    )
    const openings = new Map(before.map((validator) => [validator.index, validator]))
    return ours.map(({ validator, serial }) => ({
      ...stateOf(serial, validator, epoch),
      opening: openings.get(validator.index),
    }))
  }
}

async function findMembers(
  beacon: BeaconClient,
  at: { slot: number; epoch: number },
  members: readonly LedgerMember[],
): Promise<MemberState[]> {
  const validators = await beacon.validators(
    String(at.slot),
    members.map(({ index }) => index),
  )
  const byIndex = new Map(validators.map((validator) => [validator.index, validator]))
  return members.map(({ serial, index }) => {
    const validator = byIndex.get(index)
    if (!validator) throw new Error(`The node has no validator ${index} at slot ${at.slot}, though it had it before.`)
    return stateOf(serial, validator, at.epoch)
  })
}

function stateOf(serial: number, validator: BeaconValidator, epoch: number): MemberState {
  const { index, pubkey, balanceGwei, effectiveBalanceGwei, slashed, activationEpoch, exitEpoch } = validator
  const isActiveIn = (at: number) => activationEpoch !== undefined && activationEpoch <= at && (exitEpoch === undefined || at < exitEpoch)
  const [isActive, hadToAttest] = [isActiveIn(epoch), isActiveIn(epoch - 1) && !slashed]
  return { serial, index, pubkey, balanceGwei, effectiveBalanceGwei, slashed, isActive, hadToAttest }
}

function emptySlots(slots: readonly number[], blocks: readonly BeaconBlock[]): number[] {
  const filled = new Set(blocks.map(({ slot }) => slot))
  return slots.filter((slot) => !filled.has(slot))
}

/** A foreign deposit may have bound the key to another address. EIP-7251 can change the kind of credentials and nothing else. */
function paysExpectedAddress({ withdrawalCredentials: expected }: Candidate, { withdrawalCredentials: actual }: BeaconValidator): boolean {
  const address = withdrawalAddressOf(expected)
  return address !== undefined && withdrawalAddressOf(actual)?.equals(address) === true
}

// The index of a withdrawal to a builder has a flag at 2^40 (Gloas): no validator has such an index.
function withdrawnIn(blocks: readonly BeaconBlock[]): Map<number, bigint> {
  const withdrawn = new Map<number, bigint>()
  for (const { validatorIndex, amountGwei } of blocks.flatMap(({ withdrawals }) => withdrawals))
    withdrawn.set(validatorIndex, (withdrawn.get(validatorIndex) ?? 0n) + amountGwei)
  return withdrawn
}
