import { SLOTS_PER_EPOCH } from '@lodestar/params'
import type { capella, electra } from '@lodestar/types'
import { ssz } from '@lodestar/types'
import { formatHex } from '@trestle/ethereum/hex'
import type { EpochRewards } from './attestation-rewards.js'

export type StateView = ReturnType<typeof ssz.electra.BeaconState.getViewDU>

export interface BeaconBlockRewards {
  readonly proposer: number
  readonly attestations: number
  readonly syncAggregate: number
  readonly attesterSlashings: number
  /** The gain or loss of each member of the sync committee. */
  readonly sync: ReadonlyMap<number, number>
}

export interface BlockRecord {
  readonly slot: number
  readonly root: string
  /** The hash of its execution block. */
  readonly payload: string
  /** Serialized, which takes a tenth of the memory. */
  readonly bytes: Uint8Array
  readonly rewards: BeaconBlockRewards
}

export interface SavedHistory {
  readonly states: ReadonlyMap<number, Uint8Array>
  readonly blocks: readonly BlockRecord[]
  readonly epochs: ReadonlyMap<number, EpochRewards>
  readonly proposers: ReadonlyMap<number, readonly number[]>
}

interface StateRecord {
  readonly root: string
  readonly view: StateView
}

// States share equal parts; a block with its rewards takes about 5 KB.
const STATES_KEPT = 320
// Restored states share nothing, and take 0.3 MB each.
const STATES_SAVED = 16
const BLOCKS_KEPT = 4096

/** Past states, blocks and rewards. An archive keeps all of them. */
export class BeaconHistory {
  private readonly states = new Map<number, StateRecord>()
  private readonly slotOfState = new Map<string, number>()
  private readonly blocks = new Map<number, BlockRecord>()
  private readonly orphans = new Map<number, BlockRecord>()
  private readonly slotOfBlock = new Map<string, number>()
  private readonly slotOfPayload = new Map<string, number>()
  private readonly epochs = new Map<number, EpochRewards>()
  private readonly proposers = new Map<number, readonly number[]>()

  constructor(private readonly isArchive: boolean) {}

  addState(slot: number, root: Uint8Array, node: StateView['node']): void {
    const record = { root: formatHex(root), view: ssz.electra.BeaconState.getViewDU(node) }
    this.states.set(slot, record)
    this.slotOfState.set(record.root, slot)
    const old = this.states.get(slot - STATES_KEPT)
    if (this.isArchive || !old) return
    this.states.delete(slot - STATES_KEPT)
    this.slotOfState.delete(old.root)
  }

  addBlock(block: electra.SignedBeaconBlock, root: Uint8Array, rewards: BeaconBlockRewards): void {
    this.keepBlock(recordOf(block, root, rewards))
    if (!this.isArchive) this.removeBlock(block.message.slot - BLOCKS_KEPT)
  }

  /** A block that the chain went on without. Not saved. */
  addOrphan(block: electra.SignedBeaconBlock, root: Uint8Array, rewards: BeaconBlockRewards): void {
    const record = recordOf(block, root, rewards)
    this.orphans.set(record.slot, record)
  }

  addEpoch(epoch: number, rewards: EpochRewards): void {
    this.epochs.set(epoch, rewards)
    if (!this.isArchive) this.epochs.delete(epoch - BLOCKS_KEPT / SLOTS_PER_EPOCH)
  }

  addProposers(epoch: number, proposers: readonly number[]): void {
    this.proposers.set(epoch, proposers)
    if (!this.isArchive) this.proposers.delete(epoch - BLOCKS_KEPT / SLOTS_PER_EPOCH)
  }

  state(slot: number): StateView | undefined {
    return this.states.get(slot)?.view
  }

  slotOfStateRoot(root: string): number | undefined {
    return this.slotOfState.get(root)
  }

  block(slot: number): BlockRecord | undefined {
    return this.blocks.get(slot)
  }

  blockOfRoot(root: string): BlockRecord | undefined {
    const slot = this.slotOfBlock.get(root)
    return slot === undefined ? undefined : this.block(slot)
  }

  orphan(slot: number): BlockRecord | undefined {
    return this.orphans.get(slot)
  }

  orphanOfRoot(root: string): BlockRecord | undefined {
    return [...this.orphans.values()].find((orphan) => orphan.root === root)
  }

  rewardsOf(epoch: number): EpochRewards | undefined {
    return this.epochs.get(epoch)
  }

  proposersOf(epoch: number): readonly number[] | undefined {
    return this.proposers.get(epoch)
  }

  /** The withdrawals of the beacon block with this execution block. */
  withdrawalsOf(executionHash: string): capella.Withdrawal[] | undefined {
    const slot = this.slotOfPayload.get(executionHash)
    const record = slot === undefined ? undefined : this.block(slot)
    return record && decodeBlock(record).message.body.executionPayload.withdrawals
  }

  /** Saves the last states, and the first state of each epoch. */
  save(): SavedHistory {
    const last = Math.max(...this.states.keys())
    const kept = [...this.states].filter(([slot]) => slot > last - STATES_SAVED || slot % SLOTS_PER_EPOCH === 0)
    const states = new Map(kept.map(([slot, { view }]) => [slot, view.serialize()]))
    return { states, blocks: [...this.blocks.values()], epochs: this.epochs, proposers: this.proposers }
  }

  restore({ states, blocks, epochs, proposers }: SavedHistory): void {
    for (const [slot, bytes] of states) {
      const view = ssz.electra.BeaconState.deserializeToViewDU(bytes)
      this.addState(slot, view.hashTreeRoot(), view.node)
    }
    for (const block of blocks) this.keepBlock(block)
    for (const [epoch, rewards] of epochs) this.epochs.set(epoch, rewards)
    for (const [epoch, indices] of proposers) this.proposers.set(epoch, indices)
  }

  private keepBlock(record: BlockRecord) {
    this.blocks.set(record.slot, record)
    this.slotOfBlock.set(record.root, record.slot)
    this.slotOfPayload.set(record.payload, record.slot)
  }

  private removeBlock(slot: number) {
    const old = this.blocks.get(slot)
    if (!old || slot === 0) return
    this.blocks.delete(slot)
    this.slotOfBlock.delete(old.root)
    this.slotOfPayload.delete(old.payload)
  }
}

function recordOf(block: electra.SignedBeaconBlock, root: Uint8Array, rewards: BeaconBlockRewards): BlockRecord {
  const { slot, body } = block.message
  const payload = formatHex(body.executionPayload.blockHash)
  return { slot, root: formatHex(root), payload, bytes: ssz.electra.SignedBeaconBlock.serialize(block), rewards }
}

export function decodeBlock({ bytes }: BlockRecord): electra.SignedBeaconBlock {
  return ssz.electra.SignedBeaconBlock.deserialize(bytes)
}
