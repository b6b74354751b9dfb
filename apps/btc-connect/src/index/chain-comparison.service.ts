import { Injectable } from '@nestjs/common'
import type { Block } from '@trestle/bitcoin/block'
import { BlockSource, type ChainTip } from '../node/block-source.js'
import { BadBlock, ChainMoved, NodePruned } from '../node/node-errors.js'
import type { ChainEnd } from './chain-end.js'
import { DeepReorg } from './condition.js'
import type { ChainComparison } from './next-step.js'
import { MAX_REORG_DEPTH } from './settings.js'
import { StateRepository } from './state.repository.js'
import type { WriterRun } from './writer-run.js'

/** Compares the indexed chain with the node's. */
@Injectable()
export class ChainComparisonService {
  constructor(
    private readonly source: BlockSource,
    private readonly states: StateRepository,
  ) {}

  async compare(run: WriterRun): Promise<ChainComparison> {
    const node = await this.source.tip(run.signal)
    const ours = await this.end(run, node)
    if (node.height < ours.height && (await this.source.hashAt(node.height + 1, run.signal)))
      throw new ChainMoved('The node has more blocks than it reported.')
    return { ours, node, agrees: await this.agree(ours, node, run) }
  }

  /** The last height at which both chains have the same block. */
  async findFork({ ours, node }: ChainComparison, { settings, signal }: WriterRun): Promise<number> {
    let same = settings.startHeight - 1
    let different = Math.min(ours.height, node.height)
    while (different - same > 1) {
      const between = Math.floor((same + different) / 2)
      const [mine, theirs] = await Promise.all([this.states.findHash(between), this.source.hashAt(between, signal)])
      if (mine && theirs?.equals(mine)) same = between
      else different = between
    }
    await this.verifyBranch(same, signal)
    const depth = ours.height - same
    if (depth > MAX_REORG_DEPTH)
      throw new DeepReorg(
        `The node's chain forks from ours after block ${same}, ${depth} blocks below the tip: check that it is the right node. No block was disconnected.`,
      )
    return same
  }

  /** The node's blocks after the end of our chain. */
  blocksAfter(end: ChainEnd, { node, signal }: { node: ChainTip; signal: AbortSignal }): AsyncIterable<Block> {
    return this.source.blocks(end.height + 1, node.height, signal)
  }

  /** A block that the node may no longer have in its chain, or at all. */
  async findBlock(hash: Buffer, signal: AbortSignal): Promise<Block | undefined> {
    try {
      return await this.source.block(hash, signal)
    } catch (error) {
      if (error instanceof ChainMoved || error instanceof NodePruned || error instanceof BadBlock) return undefined
      throw error
    }
  }

  /** The work of the blocks below START_HEIGHT is read from the node. */
  private async end({ settings: { startHeight }, signal }: WriterRun, node: ChainTip): Promise<ChainEnd> {
    const end = await this.states.findEnd(startHeight)
    if (end.hash || startHeight === 0 || node.height < startHeight) return end
    return { ...end, chainwork: await this.source.workAt(startHeight - 1, signal) }
  }

  /** Before a block is disconnected, the node has to deliver the first block of its branch. */
  private async verifyBranch(fork: number, signal: AbortSignal): Promise<void> {
    const [last, next] = await Promise.all([this.states.findHash(fork), this.states.findHash(fork + 1)])
    for await (const { header } of this.source.blocks(fork + 1, fork + 1, signal)) {
      if (next?.equals(header.hash) || last?.equals(header.previousHash) === false)
        throw new ChainMoved(`The node contradicts itself about the block after ${fork}.`)
    }
  }

  private async agree(ours: ChainEnd, node: ChainTip, { settings, signal }: WriterRun): Promise<boolean> {
    const height = Math.min(ours.height, node.height)
    if (!ours.hash || height < settings.startHeight) return true
    const mine = height === ours.height ? ours.hash : await this.states.findHash(height)
    const theirs = height === node.height ? node.hash : await this.source.hashAt(height, signal)
    return mine !== undefined && theirs?.equals(mine) === true
  }
}
