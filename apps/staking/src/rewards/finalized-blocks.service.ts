import { Injectable } from '@nestjs/common'
import type { BlockHeader } from '@trestle/ethereum/ssz'
import { type BeaconClient, type Finality, mapLimited } from '../chains/beacon.client.js'
import type { BeaconBlock } from '../chains/beacon-responses.js'
import type { StakingChain } from '../chains/chain.js'
import { ChainsService } from '../chains/chains.service.js'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'

export interface FinalizedBlock extends BeaconBlock {
  readonly root: Buffer
}

/** The checkpoint of an epoch is the last block up to its first slot. */
export interface Checkpoint {
  readonly epoch: number
  readonly root: Buffer
}

/** The blocks after the first slot of an epoch, up to the first slot of the next one. */
export interface EpochBlocks {
  /** The roots of the checkpoints of the epoch and of the next one. */
  readonly openingRoot: Buffer
  readonly closingRoot: Buffer
  /** Of the state at the first slot of the next epoch; undefined if that slot is empty. */
  readonly closingState: Buffer | undefined
  readonly blocks: readonly FinalizedBlock[]
}

interface Rooted {
  readonly root: Buffer
  readonly header: BlockHeader
}

const MAX_REQUESTS = 8
/** As many as the epochs of a year. */
const MAX_LINKS = 100_000
/** An epoch is read twice: once to check the checkpoint, once to book. */
const MAX_HEADERS = 4_096

/**
 * Finds the blocks of an epoch among the ancestors of the finalized checkpoint, from parent to parent. A node may still have other blocks at
 * the same slots, and call them finalized: Prysm does.
 */
@Injectable()
export class FinalizedBlocksService {
  /** From the checkpoint of an epoch to the one before; what a root commits to never changes. */
  private readonly links = new Map<string, Buffer>()
  private readonly headers = new Map<string, BlockHeader>()

  constructor(private readonly chains: ChainsService) {}

  /** Of the first node whose checkpoint passes the check. */
  latest({ settings }: StakingChain, check?: (finalized: Finality) => Promise<void>): Promise<Finality> {
    return this.chains.beacon(settings.name).finality(check)
  }

  async read(chain: StakingChain, epoch: number, finalized: Checkpoint): Promise<EpochBlocks> {
    const beacon = this.chains.beacon(chain.settings.name)
    const closingRoot = await this.rootOf(chain, epoch + 1, finalized)
    const { path, parent: openingRoot } = await this.descend(beacon, closingRoot, epoch * chain.slotsPerEpoch)
    const last = path.at(0)?.header
    return {
      openingRoot,
      closingRoot,
      closingState: last?.slot === (epoch + 1) * chain.slotsPerEpoch ? last.stateRoot : undefined,
      blocks: await mapLimited(path.toReversed(), MAX_REQUESTS, async ({ root, header }) => ({
        ...(await beacon.block(root, header)),
        root,
      })),
    }
  }

  /** The checkpoint of an earlier epoch that this one descends from. */
  async rootOf(chain: StakingChain, epoch: number, from: Checkpoint): Promise<Buffer> {
    const beacon = this.chains.beacon(chain.settings.name)
    let { root } = from
    for (let at = from.epoch; at > epoch; at--) {
      const key = `${at} ${root.toString('hex')}`
      const parent = this.links.get(key) ?? (await this.descend(beacon, root, (at - 1) * chain.slotsPerEpoch)).parent
      if (this.links.size >= MAX_LINKS) this.links.clear()
      this.links.set(key, parent)
      root = parent
    }
    return root
  }

  /** The blocks after a slot, the newest first, and the root of the first one at or before it. */
  private async descend(beacon: BeaconClient, from: Buffer, slot: number): Promise<{ path: Rooted[]; parent: Buffer }> {
    const path: Rooted[] = []
    let root = from
    // The parent of the block right after the slot needs no look: it is at the slot or before it.
    while (path.at(-1)?.header.slot !== slot + 1) {
      const header = await this.headerOf(beacon, root)
      if (header.slot <= slot) break
      const child = path.at(-1)?.header
      if (child && header.slot >= child.slot) throw new UpstreamUnavailable('The parent of a block is not older than the block.')
      path.push({ root, header })
      root = header.parentRoot
    }
    return { path, parent: root }
  }

  private async headerOf(beacon: BeaconClient, root: Buffer): Promise<BlockHeader> {
    const key = root.toString('hex')
    const header = this.headers.get(key) ?? (await beacon.header(root))
    if (this.headers.size >= MAX_HEADERS) this.headers.clear()
    this.headers.set(key, header)
    return header
  }
}
