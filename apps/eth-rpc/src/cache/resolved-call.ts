import { hash } from 'node:crypto'
import type { QuorumSize } from '@trestle/contracts/eth-rpc/quorum'
import type { ChainBlock, FollowedChain } from '../heads/followed-chain.js'
import { type BlockReference, blockRangeOf, blockReferenceOf, withBlockNumber, withBlockRange } from '../methods/block-reference.js'
import type { RpcMethod } from '../methods/method.js'
import { canonicalJson } from './canonical-json.js'

/** A call as a node gets it: without tags, so that every node is asked about the same block. */
export interface ResolvedCall {
  readonly method: RpcMethod
  readonly params: readonly unknown[]
  /** What is sent: the params in their canonical form. */
  readonly paramsJson: string
  /** The same for equal calls only; empty where calls are never equal. */
  readonly key: string
  /** A tag only where just the node knows the block. */
  readonly block?: BlockReference
  /** Whether an answer may be kept at all. */
  readonly cacheable: boolean
  /** The block cannot change any more. */
  readonly final: boolean
  /** The block of our chain that it is about, where that is not final. */
  readonly at?: ChainBlock
  /** Where the answer names the block: up to where blocks were final when it was asked. */
  readonly sureTo?: number
  /** How many nodes must agree; left out: one is enough. */
  readonly quorum?: QuorumSize
}

type KnownChain = Pick<FollowedChain, 'head' | 'safe' | 'finalized' | 'at' | 'byHash'>
type Call = Pick<ResolvedCall, 'method' | 'params'>
type Placed = Pick<ResolvedCall, 'params' | 'block'>
type Standing = Pick<ResolvedCall, 'cacheable' | 'final' | 'at' | 'sureTo'>

const UNKNOWN: Standing = { cacheable: false, final: false }

// The key holds longer params as their hash.
const MAX_KEY_PARAMS = 256

/** Throws -32602 for params that name no block. */
export function resolveCall(call: Call, chain: KnownChain): ResolvedCall {
  const { method } = call
  if (!method.idempotent) return unshared(call)
  const { params, block } = method.blockForm === 'criteria' ? searchOf(call, chain) : placed(call, chain)
  const paramsJson = canonicalJson(params)
  const { cacheable, final, at, sureTo } = standingOf(method, block, chain)
  // A block that is not final may be replaced by another with its number.
  const branch = at && !final && !(block && 'hash' in block) ? at.hash : ''
  const key = `${method.index}|${branch}|${paramsJson.length > MAX_KEY_PARAMS ? hash('sha256', paramsJson, 'base64') : paramsJson}`
  return { method, params, paramsJson, key, block, cacheable, final, at, sureTo }
}

function unshared({ method, params }: Call): ResolvedCall {
  return { method, params, paramsJson: JSON.stringify(params), key: '', block: undefined, cacheable: false, final: false, at: undefined }
}

/** With the number of the block instead of its tag. */
function placed({ method, params }: Call, chain: KnownChain): Placed {
  const reference = blockReferenceOf(method, params)
  if (!reference || !('tag' in reference)) return { params, block: reference }
  const block = resolved(reference, chain)
  return { params: 'number' in block ? withBlockNumber(method, params, block.number) : params, block }
}

/** About the last block of its range, which implies the others. */
function searchOf({ method, params }: Call, chain: KnownChain): Placed {
  const range = blockRangeOf(params[method.blockParam ?? 0], method.blockParam)
  if ('hash' in range) return { params, block: range }
  const from = resolved(range.from, chain)
  if (!('number' in from)) return { params, block: from }
  const to = notBefore(from, resolved(range.to, chain), 'tag' in range.to && range.to.tag === 'latest')
  if (!('number' in to)) return { params, block: to }
  return { params: withBlockRange(method, params, { from: from.number, to: to.number }), block: to }
}

/** From a block that our head has not reached yet to the latest: that block is waited for, and the range not taken for an inverted one. */
function notBefore(from: { readonly number: number }, to: BlockReference, isLatest: boolean): BlockReference {
  return isLatest && 'number' in to && to.number < from.number ? from : to
}

/** The number of a tag, where the chain we follow knows it. */
function resolved(reference: BlockReference, chain: KnownChain): BlockReference {
  if (!('tag' in reference)) return reference
  const number = numberOf(reference.tag, chain)
  return number === undefined ? reference : { number }
}

function numberOf(tag: string, chain: KnownChain): number | undefined {
  if (tag === 'latest') return chain.head?.number
  if (tag === 'finalized') return chain.finalized
  if (tag === 'safe') return chain.safe
  return tag === 'earliest' ? 0 : undefined
}

function standingOf({ cache, namesBlock }: RpcMethod, block: BlockReference | undefined, chain: KnownChain): Standing {
  if (cache === 'transaction') return standingByAnswer(chain)
  if (cache === 'head') return standingAt(chain.head)
  if (cache === 'never' || cache === 'static' || block === undefined || 'tag' in block) return UNKNOWN
  if ('number' in block) return standingAt(chain.at(block.number), isFinalizedNumber(block.number, chain))
  const known = chain.byHash(block.hash)
  if (known) return standingAt(known, isFinalizedNumber(known.number, chain))
  // The answer may name the number of an old block.
  return namesBlock ? standingByAnswer(chain) : UNKNOWN
}

function standingByAnswer({ finalized }: KnownChain): Standing {
  return { cacheable: true, final: false, sureTo: finalized }
}

function standingAt(at: ChainBlock | undefined, final = false): Standing {
  return { cacheable: final || at !== undefined, final, at }
}

/** A chain that was set back may end below what was final. */
export function isFinalizedNumber(number: number, { finalized = -1, head }: Pick<FollowedChain, 'finalized' | 'head'>): boolean {
  return head !== undefined && number <= finalized && number <= head.number
}

export function isPending({ block }: ResolvedCall): boolean {
  return block !== undefined && 'tag' in block && block.tag === 'pending'
}
