import { difficultyOf, parseHeader, subsidyAt } from '@trestle/bitcoin/block'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { InsightBlock } from '@trestle/contracts/btc-connect/blocks'
import type { WritableReply } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { exactNumber, inCoins } from '../exact-number.js'
import type { PoolInfo } from './pool.js'

/** A block of the best chain, or a stale one, as the index has it. */
export interface KnownBlock {
  readonly hash: Buffer
  readonly height: number
  /** The 80 bytes. */
  readonly header: Buffer
  readonly size: number
  readonly chainwork: Buffer
  /** The input script of its coinbase. */
  readonly coinbase: Buffer
  readonly payoutScript: Buffer
  /** Concatenated. */
  readonly txids: Buffer
  /** The next block of the best chain. */
  readonly nextHash?: Buffer
  readonly isMainChain: boolean
}

interface Context {
  readonly tipHeight: number
  readonly rules: ChainRules
  readonly poolInfo: PoolInfo
}

/** With the members in Insight's order. */
export function toBlock(block: KnownBlock, { tipHeight, rules, poolInfo }: Context): WritableReply<InsightBlock> {
  const { hash, size, height, txids, chainwork, nextHash, isMainChain } = block
  const { version, merkleRoot, time, nonce, bits, previousHash } = parseHeader(block.header)
  return {
    hash: hash.toString('hex'),
    size,
    height,
    version,
    merkleroot: merkleRoot.toString('hex'),
    tx: txids.toString('hex').match(/.{64}/g) ?? [],
    time,
    nonce,
    bits: bits.toString(16).padStart(8, '0'),
    difficulty: exactNumber(difficultyOf(bits)),
    chainwork: chainwork.toString('hex'),
    confirmations: isMainChain ? tipHeight - height + 1 : -1,
    previousblockhash: height === 0 ? null : previousHash.toString('hex'),
    ...(nextHash && { nextblockhash: nextHash.toString('hex') }),
    reward: inCoins(subsidyAt(height, rules)),
    isMainChain,
    poolInfo,
  }
}

/** Parses a height, or throws a Problem with the text of Bitcoin Core. */
export function parseHeight(text: string): number {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return Number(text)
  if (/^-?\d+$/.test(text)) throw heightOutOfRange()
  throw new Problem('invalid', 'InvalidHeight', 'JSON value is not an integer as expected. Code:-1')
}

export function heightOutOfRange(): Problem {
  return new Problem('invalid', 'InvalidHeight', 'Block height out of range. Code:-8')
}

// Deeper than any reorganization of these chains ever was, and than a coinbase must be before it can be spent.
const FINAL_DEPTH = 100

/** Whether the block at this height is final. */
export function isFinal(height: number, tipHeight: number): boolean {
  return tipHeight - height >= FINAL_DEPTH
}
