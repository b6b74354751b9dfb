import { DOMAIN_BEACON_PROPOSER, DOMAIN_RANDAO, ForkSeq, SLOTS_PER_EPOCH } from '@lodestar/params'
import {
  type CachedBeaconStateElectra,
  computeEpochAtSlot,
  computeSigningRoot,
  computeTimeAtSlot,
  createCachedBeaconState,
  DataAvailabilityStatus,
  ExecutionPayloadStatus,
  getExpectedWithdrawals,
  getRandaoMix,
  getVoluntaryExitValidity,
  processSlots,
  stateTransition,
  VoluntaryExitValidity,
} from '@lodestar/state-transition'
import type { electra, phase0 } from '@lodestar/types'
import { ssz } from '@lodestar/types'
import { attestationRewards } from './attestation-rewards.js'
import type { BlockOrder, MinedBlock } from './execution.js'
import { requireElectra } from './genesis.js'
import { type BeaconBlockRewards, BeaconHistory, type SavedHistory } from './history.js'
import { isSlashable, OperationPool, type SavedOperationPool } from './operation-pool.js'
import type { ValidatorSigners } from './signers.js'
import { signTogether } from './signing.js'
import { attest, conflictingVotes, pubkeyOf, syncAggregate } from './votes.js'

interface ChainOptions {
  readonly genesis: CachedBeaconStateElectra
  readonly signers: ValidatorSigners
  readonly mine: (order: BlockOrder) => Promise<MinedBlock>
  /** Puts each block through the whole transition again, with every signature, as a stranger would. */
  readonly verify: boolean
  readonly archive: boolean
  /** The chain goes on from there. */
  readonly saved?: SavedChain
}

export interface SavedChain {
  readonly state: Uint8Array
  readonly headRoot: Uint8Array
  readonly headSlot: number
  readonly history: SavedHistory
  readonly pool: SavedOperationPool
}

const TRUSTED = { executionPayloadStatus: ExecutionPayloadStatus.valid, dataAvailabilityStatus: DataAvailabilityStatus.Available }
const UNCHECKED = { ...TRUSTED, verifyStateRoot: false, verifyProposer: false, verifySignatures: false }
const CHECKED = { ...TRUSTED, verifyStateRoot: true, verifyProposer: true, verifySignatures: true }

/** The one chain there is, a slot at a time; of another branch it has at most a block. Between its slots the head is whole. */
export class BeaconChain {
  readonly history: BeaconHistory
  readonly pool = new OperationPool()
  private readonly signers: ValidatorSigners
  private state: CachedBeaconStateElectra
  private headRoot: Uint8Array
  private headSlot = 0
  private isNextOrphan = false
  private frozenSlot: number | undefined

  constructor(private readonly options: ChainOptions) {
    this.state = options.genesis
    this.signers = options.signers
    this.history = new BeaconHistory(options.archive)
    const message = { ...ssz.electra.BeaconBlock.defaultValue(), stateRoot: this.state.hashTreeRoot() }
    this.headRoot = ssz.electra.BeaconBlock.hashTreeRoot(message)
    if (options.saved) {
      this.restore(options.saved)
      return
    }
    this.history.addBlock({ message, signature: Buffer.alloc(96) }, this.headRoot, NO_REWARDS)
    this.finishSlot()
  }

  /** The state of the last slot. */
  get head(): CachedBeaconStateElectra {
    return this.state
  }

  /** The last block's slot; those after it have none. */
  get slotOfHeadBlock(): number {
    return this.headSlot
  }

  /** What the node reports as its head: it may stop following the chain. */
  get reportedSlot(): number {
    return this.frozenSlot ?? this.state.slot
  }

  freeze(isFrozen: boolean): void {
    this.frozenSlot = isFrozen ? this.reportedSlot : undefined
  }

  /** The chain will go on without the next block; the node keeps it. */
  orphanNext(): void {
    this.isNextOrphan = true
  }

  async nextSlot(): Promise<void> {
    const slot = this.state.slot + 1
    const epoch = computeEpochAtSlot(slot)
    if (slot % SLOTS_PER_EPOCH === 0 && epoch > 1) this.history.addEpoch(epoch - 2, attestationRewards(this.state))
    this.signers.watch(slot)
    const empty = requireElectra(processSlots(this.state, slot))
    this.state = (await this.propose(empty)) ?? empty
    this.finishSlot()
  }

  /** Why the chain would not take this exit now. */
  validityOf(exit: phase0.SignedVoluntaryExit): VoluntaryExitValidity {
    return getVoluntaryExitValidity(ForkSeq.electra, this.state, exit, true)
  }

  /** Has the validator vote twice; a proposer will tell. False when it cannot be slashed any more. */
  slash(validator: number, key: Buffer): boolean {
    if (!isSlashable(this.state, validator)) return false
    this.pool.addSlashing(conflictingVotes(this.state, this.headRoot, key, validator))
    return true
  }

  save(): SavedChain {
    const { headRoot, headSlot } = this
    return { state: this.state.serialize(), headRoot, headSlot, history: this.history.save(), pool: this.pool.save() }
  }

  private restore({ state, headRoot, headSlot, history, pool }: SavedChain) {
    const { config, epochCtx } = this.state
    const view = ssz.electra.BeaconState.deserializeToViewDU(state)
    this.state = requireElectra(createCachedBeaconState(view, { config, pubkeyCache: epochCtx.pubkeyCache }))
    this.headRoot = headRoot
    this.headSlot = headSlot
    this.history.restore(history)
    this.pool.restore(pool)
  }

  private finishSlot() {
    const { slot } = this.state
    this.history.addState(slot, this.state.hashTreeRoot(), this.state.node)
    if (slot % SLOTS_PER_EPOCH === 0) this.history.addProposers(computeEpochAtSlot(slot), this.state.epochCtx.getBeaconProposers())
    const attestation = attest(this.state, this.headRoot, this.signers)
    if (attestation) this.pool.addAttestation(attestation)
  }

  /** The state after the block of this slot; undefined if its proposer is offline or slashed, or the execution chain is unreachable. */
  private async propose(empty: CachedBeaconStateElectra): Promise<CachedBeaconStateElectra | undefined> {
    const index = empty.epochCtx.getBeaconProposer(empty.slot)
    // process_block_header: a slashed proposer has no valid block.
    if (empty.validators.getReadonly(index).slashed) return undefined
    const proposer = this.signers.proposer(pubkeyOf(empty, index), empty.slot)
    if (!proposer) return undefined
    const { expectedWithdrawals: withdrawals } = getExpectedWithdrawals(ForkSeq.electra, empty)
    const timestamp = computeTimeAtSlot(empty.config, empty.slot, empty.genesisTime)
    const isOrphan = this.isNextOrphan
    const order = { feeRecipient: proposer.feeRecipient, timestamp: Math.floor(timestamp), withdrawals, isOrphan }
    // anvil mines in parallel.
    const mining = this.options.mine(order).catch(() => undefined)
    const pool = this.pool.save()
    const draft = this.draft(empty, index, proposer.key)
    const mined = await mining
    if (!mined) return undefined
    const payload: electra.ExecutionPayload = {
      ...mined.payload,
      parentHash: empty.latestExecutionPayloadHeader.blockHash,
      prevRandao: getRandaoMix(empty, empty.epochCtx.epoch),
      // With its fraction, as the transition expects for slots of fractional seconds; serialized it has none.
      timestamp,
      withdrawals,
    }
    const added = this.add(empty, { ...draft, payload, requests: mined.requests }, proposer.key)
    if (!isOrphan) return added
    this.isNextOrphan = false
    this.pool.restore(pool)
    return undefined
  }

  private draft(empty: CachedBeaconStateElectra, proposerIndex: number, key: Buffer): Draft {
    const domain = empty.config.getDomain(empty.slot, DOMAIN_RANDAO, empty.slot)
    const randaoReveal = signTogether([key], computeSigningRoot(ssz.Epoch, empty.epochCtx.epoch, domain))
    return { proposerIndex, randaoReveal, syncAggregate: syncAggregate(empty, this.headRoot, this.signers) }
  }

  private add(empty: CachedBeaconStateElectra, draft: FullDraft, key: Buffer): CachedBeaconStateElectra {
    const message: electra.BeaconBlock = {
      slot: empty.slot,
      proposerIndex: draft.proposerIndex,
      parentRoot: this.headRoot,
      stateRoot: Buffer.alloc(32),
      body: {
        ...ssz.electra.BeaconBlockBody.defaultValue(),
        randaoReveal: draft.randaoReveal,
        eth1Data: ssz.phase0.Eth1Data.toValueFromViewDU(empty.eth1Data),
        attesterSlashings: this.pool.takeSlashings(empty),
        attestations: this.pool.takeAttestations(empty),
        voluntaryExits: this.pool.takeExits(empty),
        syncAggregate: draft.syncAggregate,
        executionPayload: draft.payload,
        executionRequests: draft.requests,
      },
    }
    const block: electra.SignedBeaconBlock = { message, signature: Buffer.alloc(96) }
    const added = requireElectra(stateTransition(empty, block, UNCHECKED))
    message.stateRoot = added.hashTreeRoot()
    const domain = empty.config.getDomain(empty.slot, DOMAIN_BEACON_PROPOSER, empty.slot)
    block.signature = signTogether([key], computeSigningRoot(ssz.electra.BeaconBlock, message, domain))
    if (this.options.verify) stateTransition(empty, block, CHECKED)
    const root = ssz.electra.BeaconBlock.hashTreeRoot(message)
    if (this.isNextOrphan) this.history.addOrphan(block, root, rewardsOf(message, added))
    else {
      this.headRoot = root
      this.headSlot = message.slot
      this.history.addBlock(block, root, rewardsOf(message, added))
    }
    return added
  }
}

interface Draft {
  readonly proposerIndex: number
  readonly randaoReveal: Uint8Array
  readonly syncAggregate: electra.BeaconBlockBody['syncAggregate']
}

interface FullDraft extends Draft {
  readonly payload: electra.ExecutionPayload
  readonly requests: electra.ExecutionRequests
}

const NO_REWARDS: BeaconBlockRewards = { proposer: 0, attestations: 0, syncAggregate: 0, attesterSlashings: 0, sync: new Map() }

function rewardsOf(block: electra.BeaconBlock, state: CachedBeaconStateElectra): BeaconBlockRewards {
  const { attestations, syncAggregate, slashing } = state.proposerRewards
  const { syncParticipantReward, currentSyncCommitteeIndexed } = state.epochCtx
  const sync = new Map<number, number>()
  currentSyncCommitteeIndexed.validatorIndices.forEach((validator, seat) => {
    const change = block.body.syncAggregate.syncCommitteeBits.get(seat) ? syncParticipantReward : -syncParticipantReward
    sync.set(validator, (sync.get(validator) ?? 0) + change)
  })
  return { proposer: block.proposerIndex, attestations, syncAggregate, attesterSlashings: slashing, sync }
}
