import { Injectable } from '@nestjs/common'
import { withdrawalAddressOf } from '@trestle/ethereum/withdrawal-credentials'
import type { BeaconClient } from '../chains/beacon.client.js'
import type { BeaconValidator } from '../chains/beacon-responses.js'
import type { StakingChain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import { BreakdownService } from './breakdown.service.js'
import type { EpochBlocks, FinalizedBlock } from './finalized-blocks.service.js'
import type { BalanceSnapshot, LedgerMember } from './ledger.js'
import { type Principal, PrincipalService } from './principal.service.js'
import { type Proposals, ProposalsService } from './proposals.service.js'
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

export interface EpochData extends Proposals {
  readonly members: readonly MemberState[]
  readonly arrivals: readonly Arrival[]
  /** The blocks after the epoch's first slot, up to the first slot of the next epoch. */
  readonly blocks: readonly FinalizedBlock[]
  readonly withdrawnGwei: ReadonlyMap<number, bigint>
  readonly breakdown: Breakdown | undefined
}

const NOTHING_HAPPENED = { withdrawnGwei: new Map(), breakdown: undefined, missedProposals: [], rewards: [] }

/**
 * Reads what happened in an epoch: between the state at its first slot and the state at the first slot of the next one. A state includes
 * the block of its slot, so these are the blocks after the first slot, and the first block of the next epoch.
 */
@Injectable()
export class EpochReaderService {
  constructor(
    private readonly chains: ChainsService,
    private readonly breakdowns: BreakdownService,
    private readonly proposals: ProposalsService,
    private readonly principals: PrincipalService,
  ) {}

  async read(
    chain: StakingChain,
    epoch: number,
    { blocks, closingState, ...followed }: EpochBlocks & { members: readonly LedgerMember[]; candidates: readonly Candidate[] },
  ): Promise<EpochData> {
    const beacon = this.chains.beacon(chain.settings.name)
    const opening = epoch * chain.slotsPerEpoch
    const closing = opening + chain.slotsPerEpoch
    const at = { slot: closing, root: closingState, epoch }
    const members = await findMembers(beacon, at, followed.members)
    const arrivals = await this.findArrivals(beacon, { ...at, opening }, followed.candidates)
    const states = [...members, ...arrivals]
    if (states.length === 0) return { members, arrivals, blocks, ...NOTHING_HAPPENED }
    const slots = Array.from({ length: chain.slotsPerEpoch }, (_, i) => opening + 1 + i)
    const olderIndices = [...members, ...arrivals.filter((arrival) => arrival.opening)].map(({ index }) => index)
    const query = { epoch, blocks, indices: new Set(states.map(({ index }) => index)), olderIndices }
    const breakdown = await this.breakdowns.read(beacon, query)
    const proposals = await this.proposals.read(chain, slots, blocks, states)
    return { members, arrivals, blocks, withdrawnGwei: withdrawnIn(blocks), breakdown, ...proposals }
  }

  /** What 32 ETH earned: from the epoch's breakdown, or else from a node. */
  async idealGwei({ settings }: StakingChain, epoch: number, breakdown?: Breakdown): Promise<bigint | undefined> {
    if (breakdown?.idealGwei !== undefined) return breakdown.idealGwei
    return epoch === 0 ? undefined : this.breakdowns.idealGwei(this.chains.beacon(settings.name), epoch - 1)
  }

  /** By index; undefined if no node shows everything that may be principal. */
  principal(chain: StakingChain, epoch: number, { blocks, members, arrivals }: EpochData): Promise<Principal | undefined> {
    return this.principals.read(chain, epoch, blocks, [...members, ...arrivals])
  }

  private async findArrivals(
    beacon: BeaconClient,
    { opening, slot, root, epoch }: { opening: number; slot: number; root: Buffer | undefined; epoch: number },
    candidates: readonly Candidate[],
  ): Promise<Arrival[]> {
    const byPubkey = new Map(candidates.map((candidate) => [candidate.pubkey.toString('hex'), candidate]))
    const validators = await beacon.validators(
      String(slot),
      candidates.map(({ pubkey }) => pubkey),
      root,
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
  at: { slot: number; root: Buffer | undefined; epoch: number },
  members: readonly LedgerMember[],
): Promise<MemberState[]> {
  const validators = await beacon.validators(
    String(at.slot),
    members.map(({ index }) => index),
    at.root,
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

/** A foreign deposit may have bound the key to another address. EIP-7251 can change the kind of credentials and nothing else. */
function paysExpectedAddress({ withdrawalCredentials: expected }: Candidate, { withdrawalCredentials: actual }: BeaconValidator): boolean {
  const address = withdrawalAddressOf(expected)
  return address !== undefined && withdrawalAddressOf(actual)?.equals(address) === true
}

// The index of a withdrawal to a builder has a flag at 2^40 (Gloas): no validator has such an index.
function withdrawnIn(blocks: readonly FinalizedBlock[]): Map<number, bigint> {
  const withdrawn = new Map<number, bigint>()
  for (const { validatorIndex, amountGwei } of blocks.flatMap(({ payload }) => payload?.withdrawals ?? []))
    withdrawn.set(validatorIndex, (withdrawn.get(validatorIndex) ?? 0n) + amountGwei)
  return withdrawn
}
