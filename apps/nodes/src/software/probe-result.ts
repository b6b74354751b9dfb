import { maxLagOf } from '@trestle/contracts/chains/chains'
import { z } from 'zod'
import { type Blueprint, familyOf } from '../catalogue/blueprint.js'
import { isPrivateChain } from './program-setup.js'

/** The status that a machine's program reports. */
export interface ProbeResult {
  readonly height: number
  /** Blocks that it knows of and does not have yet. */
  readonly lag: number
  /** 0..1 */
  readonly progress: number
  readonly peers?: number
  readonly synced: boolean
  /** Why it does not answer calls yet, in its own words. */
  readonly warmingUp?: string
}

/** A call, and whether an error is acceptable. */
export interface ProbeCall {
  readonly method: string
  readonly optional?: true
}

const CALLS = {
  bitcoin: [{ method: 'getblockchaininfo' }, { method: 'getnetworkinfo' }],
  evm: [{ method: 'eth_syncing' }, { method: 'eth_blockNumber' }, { method: 'net_peerCount', optional: true }],
} satisfies Record<string, readonly ProbeCall[]>

const Height = z.int().min(0)
const BitcoinAnswers = z.tuple([
  z.object({ blocks: Height, headers: Height, verificationprogress: z.number(), initialblockdownload: z.boolean() }),
  z.object({ connections: Height }),
])

// 53 bits: 13 digits after leading zeros.
const Quantity = z
  .string()
  .regex(/^0x0*[0-9a-fA-F]{1,13}$/, 'is not a number')
  .transform(Number)
const EvmAnswers = z.tuple([
  z.union([z.literal(false), z.object({ currentBlock: Quantity, highestBlock: Quantity })]),
  Quantity,
  Quantity.optional(),
])

export function probeCallsFor(blueprint: Blueprint): readonly ProbeCall[] {
  return CALLS[familyOf(blueprint)]
}

/** Parses the answers to the calls; throws a ZodError if they are not valid. */
export function probeResultOf(blueprint: Blueprint, answers: readonly unknown[]): ProbeResult {
  const result = familyOf(blueprint) === 'bitcoin' ? resultOfBitcoin(BitcoinAnswers.parse(answers)) : resultOfEvm(EvmAnswers.parse(answers))
  // A private chain has no other to be behind.
  if (isPrivateChain(blueprint)) return { ...result, progress: 1, synced: true }
  return { ...result, synced: result.synced && result.lag <= maxLagOf(blueprint.chain) }
}

/** It runs and is not ready to answer calls. */
export function notReadyResult(message: string): ProbeResult {
  return { height: 0, lag: 0, progress: 0, synced: false, warmingUp: message }
}

function resultOfBitcoin([chain, network]: z.output<typeof BitcoinAnswers>): ProbeResult {
  return {
    height: chain.blocks,
    lag: Math.max(0, chain.headers - chain.blocks),
    progress: share(chain.verificationprogress),
    peers: network.connections,
    // Until it has the headers its lag is 0.
    synced: !chain.initialblockdownload,
  }
}

function resultOfEvm([syncing, height, peers]: z.output<typeof EvmAnswers>): ProbeResult {
  // geth also reports that it is not syncing before it has found a peer.
  if (!syncing) return { height, lag: 0, progress: height > 0 ? 1 : 0, peers, synced: height > 0 }
  const lag = Math.max(0, syncing.highestBlock - height)
  return { height, lag, progress: share(height / Math.max(1, syncing.highestBlock)), peers, synced: true }
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value))
}
