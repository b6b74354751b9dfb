import { type BlockHeader, blockHeaderRoot } from '@trestle/ethereum/ssz'
import type { BeaconBlock } from '../src/chains/beacon-responses.js'

const ZERO = Buffer.alloc(32)

interface Proposal {
  readonly root: Buffer
  readonly header: BlockHeader
  readonly block: BeaconBlock
  readonly reward: bigint
  readonly sync: Map<number, bigint>
}

/** The blocks of a model chain by their roots, each with the root of its parent. */
export class ModelBlocks {
  /** The last block up to the first slot of each epoch. */
  private readonly checkpoints: Buffer[] = []
  private readonly proposals = new Map<string, Proposal>()
  private head: Buffer = ZERO

  constructor(genesis: BeaconBlock) {
    this.propose(genesis, 0n, new Map())
  }

  propose(block: BeaconBlock, reward: bigint, sync: Map<number, bigint>): void {
    const { slot, proposerIndex } = block
    const header = { slot, proposerIndex, parentRoot: this.head, stateRoot: stateRootOf(slot), bodyRoot: ZERO }
    this.keep({ header, block: { ...block, parentRoot: this.head }, reward, sync })
  }

  endEpoch(): void {
    this.checkpoints.push(this.head)
  }

  checkpoint(epoch: number): Buffer {
    return this.checkpoints[epoch]!
  }

  of(root: Buffer): Proposal {
    const proposal = this.proposals.get(root.toString('hex'))
    if (!proposal) throw new Error(`no block ${root.toString('hex')}`)
    return proposal
  }

  /** All blocks but those of checkpoints are gone, and the others are on another branch. */
  replace(): void {
    const [genesis = ZERO, ...later] = this.checkpoints.splice(0)
    const { header, ...proposal } = this.of(genesis)
    this.keep({ ...proposal, header: { ...header, proposerIndex: 9 } })
    this.endEpoch()
    for (const root of later) {
      const { header, ...proposal } = this.of(root)
      this.keep({ ...proposal, header: { ...header, parentRoot: this.head } })
      this.endEpoch()
    }
  }

  private keep(proposal: Omit<Proposal, 'root'>): void {
    const root = blockHeaderRoot(proposal.header)
    this.proposals.set(root.toString('hex'), { ...proposal, root })
    this.head = root
  }
}

export function stateRootOf(slot: number): Buffer {
  return Buffer.alloc(32, slot)
}
