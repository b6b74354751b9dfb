import { maxLagOf } from '@trestle/contracts/chains/chains'
import { z } from 'zod'
import { type Blueprint, familyOf } from '../catalogue/blueprint.js'
import { isOwnChain } from './place.js'

/** How a machine's program says that it is. */
export interface Seen {
  readonly height: number
  /** Blocks that it knows of and has not yet. */
  readonly lag: number
  /** 0..1 */
  readonly progress: number
  readonly peers?: number
  readonly synced: boolean
  /** Why it does not answer yet, in its own words. */
  readonly warming?: string
}

/** A call, and whether its answer can be done without. */
export interface Question {
  readonly method: string
  readonly optional?: true
}

const QUESTIONS = {
  bitcoin: [{ method: 'getblockchaininfo' }, { method: 'getnetworkinfo' }],
  evm: [{ method: 'eth_syncing' }, { method: 'eth_blockNumber' }, { method: 'net_peerCount', optional: true }],
} satisfies Record<string, readonly Question[]>

const Height = z.int().min(0)
const BitcoinAnswers = z.tuple([
  z.object({ blocks: Height, headers: Height, verificationprogress: z.number(), initialblockdownload: z.boolean() }),
  z.object({ connections: Height }),
])

// 53 bits: 13 digits, zeros in front apart.
const Quantity = z
  .string()
  .regex(/^0x0*[0-9a-fA-F]{1,13}$/, 'is no number')
  .transform(Number)
const EvmAnswers = z.tuple([
  z.union([z.literal(false), z.object({ currentBlock: Quantity, highestBlock: Quantity })]),
  Quantity,
  Quantity.optional(),
])

export function questionsTo(blueprint: Blueprint): readonly Question[] {
  return QUESTIONS[familyOf(blueprint)]
}

/** What the answers to the questions tell; throws zod's error where they are not what the program answers. */
export function seenIn(blueprint: Blueprint, answers: readonly unknown[]): Seen {
  const seen = familyOf(blueprint) === 'bitcoin' ? seenOfBitcoin(BitcoinAnswers.parse(answers)) : seenOfEvm(EvmAnswers.parse(answers))
  // Nobody can say of a chain of one's own that it is behind another.
  if (isOwnChain(blueprint)) return { ...seen, progress: 1, synced: true }
  return { ...seen, synced: seen.synced && seen.lag <= maxLagOf(blueprint.chain) }
}

/** It runs, and is not ready to answer. */
export function warmingUp(words: string): Seen {
  return { height: 0, lag: 0, progress: 0, synced: false, warming: words }
}

function seenOfBitcoin([chain, network]: z.output<typeof BitcoinAnswers>): Seen {
  return {
    height: chain.blocks,
    lag: Math.max(0, chain.headers - chain.blocks),
    progress: share(chain.verificationprogress),
    peers: network.connections,
    // Before it knows the headers it knows of no lag.
    synced: !chain.initialblockdownload,
  }
}

function seenOfEvm([syncing, height, peers]: z.output<typeof EvmAnswers>): Seen {
  // geth says that it is not syncing before it has found anybody to sync from, too.
  if (!syncing) return { height, lag: 0, progress: height > 0 ? 1 : 0, peers, synced: height > 0 }
  const lag = Math.max(0, syncing.highestBlock - height)
  return { height, lag, progress: share(height / Math.max(1, syncing.highestBlock)), peers, synced: true }
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value))
}
