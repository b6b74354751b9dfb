import { z } from 'zod'
import type { ChainBlock } from './followed-chain.js'

const Quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/i)
  .transform(Number)
const Hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .toLowerCase()
const Links = z.looseObject({ number: Quantity, hash: Hash, parentHash: Hash })

// In newHeads geth sends the hashed fields and the hash. Other nodes send the whole block; every client can do with the less.
const NOT_OF_A_HEADER = ['transactions', 'uncles', 'withdrawals', 'size', 'totalDifficulty']

const NO_LOGS = `"logsBloom":"0x${'0'.repeat(512)}"`

/** A block as `eth_getBlockByNumber` or `newHeads` shows it; throws if it is not one. */
export function parseChainBlock(shown: unknown, receivedAt: number): ChainBlock {
  const { number, hash, parentHash } = Links.parse(shown)
  const members = Object.entries(shown as object).filter(([name]) => !NOT_OF_A_HEADER.includes(name))
  return { number, hash, parentHash, header: JSON.stringify(Object.fromEntries(members)), receivedAt }
}

/** False only for a block that certainly has none. */
export function mayHaveLogs({ header }: ChainBlock): boolean {
  return !header.includes(NO_LOGS)
}

/** When the block was made, in seconds since 1970. */
export function timestampOf({ header }: ChainBlock): number {
  return Number((JSON.parse(header) as { timestamp?: string }).timestamp ?? 0)
}

export function parseQuantity(shown: unknown): number {
  return Quantity.parse(shown)
}

/** Undefined where what a node shows is no block. */
export function shownBlock(shown: unknown, receivedAt: number): ChainBlock | undefined {
  try {
    return parseChainBlock(shown, receivedAt)
  } catch {
    return undefined
  }
}
