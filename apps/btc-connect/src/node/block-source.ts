import type { Block } from '@trestle/bitcoin/block'

export interface ChainTip {
  readonly height: number
  readonly hash: Buffer
  /** While the node itself is downloading the chain: the height of the headers that it has. */
  readonly goal?: number
}

/** Where the index reads the chain from. Every block is verified before it is returned. */
export abstract class BlockSource {
  /** Rejects with NodeOnWrongNetwork if the node is on another chain. */
  abstract tip(signal: AbortSignal): Promise<ChainTip>

  /** The hash at a height of the best chain; undefined above its tip. */
  abstract hashAt(height: number, signal: AbortSignal): Promise<Buffer | undefined>

  /** The work of the best chain up to this height. */
  abstract workAt(height: number, signal: AbortSignal): Promise<bigint>

  /** The blocks of the best chain from `first` to `last`, in order, each linked to the one before. */
  abstract blocks(first: number, last: number, signal: AbortSignal): AsyncIterable<Block>

  /** A block by its hash, on any branch. */
  abstract block(hash: Buffer, signal: AbortSignal): Promise<Block>
}
