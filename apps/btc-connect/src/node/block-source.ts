import type { Block } from '@trestle/bitcoin/block'

export interface ChainTip {
  readonly height: number
  readonly hash: Buffer
  /** While the node is downloading the chain itself: the height of which it knows already. */
  readonly goal?: number
}

/** Where the index takes the chain from. Every block is checked before it is handed out. */
export abstract class BlockSource {
  /** Rejects with WrongNetwork when it is not the chain that is served. */
  abstract tip(signal: AbortSignal): Promise<ChainTip>

  /** The hash at a height of the best chain, or undefined above its tip. */
  abstract hashAt(height: number, signal: AbortSignal): Promise<Buffer | undefined>

  /** The work of the best chain up to this height. */
  abstract workAt(height: number, signal: AbortSignal): Promise<bigint>

  /** The blocks of the best chain from `first` to `last`, in order, each linked to the one before. */
  abstract blocks(first: number, last: number, signal: AbortSignal): AsyncIterable<Block>

  /** A block by its hash, of whatever branch. */
  abstract block(hash: Buffer, signal: AbortSignal): Promise<Block>
}
