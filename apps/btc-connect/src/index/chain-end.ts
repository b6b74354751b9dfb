import { type Block, workOf } from '@trestle/bitcoin/block'
import { ChainMoved } from '../node/node-errors.js'

/** The last indexed block. */
export interface ChainEnd {
  /** One less than the first height while there is no block. */
  readonly height: number
  /** Undefined while there is no block. */
  readonly hash: Buffer | undefined
  /** The number of the next transaction. */
  readonly nextTxId: number
  /** Of all blocks so far. */
  readonly chainwork: bigint
}

/** The end of an empty index. */
export function emptyChainEnd(startHeight: number): ChainEnd {
  return { height: startHeight - 1, hash: undefined, nextTxId: 0, chainwork: 0n }
}

/** The end after one more block, which must extend this chain. */
export function advance(end: ChainEnd, { header, transactions }: Block): ChainEnd {
  if (end.hash && !end.hash.equals(header.previousHash)) throw new ChainMoved(`The node's block ${end.height + 1} does not follow ours.`)
  return {
    height: end.height + 1,
    hash: header.hash,
    nextTxId: end.nextTxId + transactions.length,
    chainwork: end.chainwork + workOf(header.bits),
  }
}

const WORK_BYTES = 32

export function chainworkBytes(chainwork: bigint): Buffer {
  return Buffer.from(chainwork.toString(16).padStart(2 * WORK_BYTES, '0'), 'hex')
}

export function chainworkOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`)
}
