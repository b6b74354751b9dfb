import { type Block, workOf } from '@trestle/bitcoin/block'
import { BlockSource, type ChainTip } from '../../src/node/block-source.js'
import { ChainMoved } from '../../src/node/node-errors.js'

/** A node in memory: its best chain, and every block it ever had. */
export class MemoryNode extends BlockSource {
  readonly known = new Map<string, Block>()
  best: readonly Block[] = []
  /** How far it knows the chain to go that it is still downloading. */
  goal?: number
  /** Thrown instead of an answer. */
  failure?: Error
  /** Called before each block is handed out. */
  beforeBlock?: (height: number) => Promise<void> | void

  follow(chain: readonly Block[]): void {
    this.best = chain
    for (const block of chain) this.known.set(block.header.hash.toString('hex'), block)
  }

  async tip(): Promise<ChainTip> {
    if (this.failure) throw this.failure
    const last = this.best.at(-1)
    if (!last) throw new Error('The node has no block.')
    return { height: this.best.length - 1, hash: last.header.hash, goal: this.goal }
  }

  async hashAt(height: number): Promise<Buffer | undefined> {
    return this.best[height]?.header.hash
  }

  async workAt(height: number): Promise<bigint> {
    return this.best.slice(0, height + 1).reduce((sum, { header }) => sum + workOf(header.bits), 0n)
  }

  async *blocks(first: number, last: number): AsyncIterable<Block> {
    for (let height = first; height <= last; height++) {
      await this.beforeBlock?.(height)
      const block = this.best[height]
      if (!block) throw new ChainMoved('The chain ends before.')
      yield block
    }
  }

  async block(hash: Buffer): Promise<Block> {
    const block = this.known.get(hash.toString('hex'))
    if (!block) throw new ChainMoved('The node does not know it.')
    return block
  }
}
