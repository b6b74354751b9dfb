import { invalidParams, RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import { blockNumberFault, hashFault, jsonKind } from './hex-faults.js'
import type { RpcMethod } from './method.js'

type BlockTag = 'latest' | 'safe' | 'finalized' | 'earliest' | 'pending'

/** Which block a call is about. */
export type BlockReference = { readonly tag: BlockTag } | { readonly number: number } | { readonly hash: string }

/** The blocks a search for logs is about. */
type BlockReferenceRange = { readonly from: BlockReference; readonly to: BlockReference } | { readonly hash: string }

const LATEST: BlockReference = { tag: 'latest' }
const TAGS = new Map<unknown, BlockReference>(
  (['latest', 'safe', 'finalized', 'earliest', 'pending'] as const).map((tag) => [tag, { tag }]),
)
const HASH_LENGTH = 66

/** What geth says of a value in that place that names no block. */
interface GethWords {
  readonly tooHigh: string
  readonly notText: (value: unknown) => string
}

const NUMBER: GethWords = { tooHigh: 'block number larger than int64', notText: () => 'hex string without 0x prefix' }
const NUMBER_OR_HASH: GethWords = {
  tooHigh: 'blocknumber too high',
  notText: (value) => `json: cannot unmarshal ${jsonKind(value)} into Go value of type string`,
}

/** Throws -32602 for what names no block; undefined where the method is about none, or needs one and has none. */
export function blockReferenceOf(method: RpcMethod, params: readonly unknown[]): BlockReference | undefined {
  const position = method.blockParam
  if (position === undefined) return undefined
  const value = params[position] ?? undefined
  if (method.blockForm === 'criteria') return lastOf(blockRangeOf(value, position))
  if (value === undefined) return method.blockOptional && params.length >= position ? LATEST : undefined
  return method.blockForm === 'hash'
    ? { hash: hashOf(value, position) }
    : referenceOf(value, position, method.blockForm === 'number' ? NUMBER : NUMBER_OR_HASH)
}

/** Of the criteria of `eth_getLogs`, `eth_newFilter` and the like. */
export function blockRangeOf(criteria: unknown, position = 0): BlockReferenceRange {
  if (criteria === undefined) throw invalidParams(`missing value for required argument ${position}`)
  if (!isObject(criteria)) throw refuse(position, `json: cannot unmarshal ${jsonKind(criteria)} into Go value of type filters.input`)
  const { fromBlock, toBlock, blockHash } = criteria
  if (isGiven(blockHash)) {
    const hash = hashOf(blockHash, position, 'struct field input.blockHash')
    if (isGiven(fromBlock) || isGiven(toBlock))
      throw refuse(position, 'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other')
    return { hash }
  }
  const from = isGiven(fromBlock) ? numberOrTagOf(fromBlock, position, NUMBER) : LATEST
  const to = isGiven(toBlock) ? numberOrTagOf(toBlock, position, NUMBER) : LATEST
  if ('number' in from && 'number' in to && to.number > 0 && from.number > to.number) throw invalidBlockRange()
  return { from, to }
}

/** In geth's words, and with its code, which clients compare. */
function invalidBlockRange(): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.server, message: 'invalid block range params' })
}

/** The params with that number instead of their tag. */
export function withBlockNumber(method: RpcMethod, params: readonly unknown[], number: number): readonly unknown[] {
  const resolved = [...params]
  resolved[method.blockParam ?? params.length] = toQuantity(number)
  return resolved
}

/** The params with these numbers instead of the tags of their criteria. */
export function withBlockRange(method: RpcMethod, params: readonly unknown[], range: { from: number; to: number }): readonly unknown[] {
  const position = method.blockParam ?? 0
  const resolved = [...params]
  resolved[position] = { ...(params[position] ?? {}), fromBlock: toQuantity(range.from), toBlock: toQuantity(range.to) }
  return resolved
}

export function toQuantity(number: number): string {
  return `0x${number.toString(16)}`
}

function lastOf(range: BlockReferenceRange): BlockReference {
  return 'hash' in range ? range : range.to
}

function referenceOf(value: unknown, position: number, words: GethWords): BlockReference {
  // EIP-1898
  if (isObject(value)) return referenceInside(value, position)
  // Nodes that know EIP-1898 accept a hash in place of a number.
  if (typeof value === 'string' && value.length === HASH_LENGTH) return { hash: hashOf(value, position) }
  return numberOrTagOf(value, position, words)
}

function referenceInside({ blockNumber, blockHash, requireCanonical }: Record<string, unknown>, position: number): BlockReference {
  if (isGiven(requireCanonical) && typeof requireCanonical !== 'boolean') throw refuse(position, 'requireCanonical is not a boolean')
  if (isGiven(blockNumber) && isGiven(blockHash))
    throw refuse(position, 'cannot specify both BlockHash and BlockNumber, choose one or the other')
  if (!isGiven(blockNumber) && !isGiven(blockHash)) throw refuse(position, 'a block object has either blockNumber or blockHash')
  return isGiven(blockHash) ? { hash: hashOf(blockHash, position) } : numberOrTagOf(blockNumber, position, NUMBER_OR_HASH)
}

function numberOrTagOf(value: unknown, position: number, words: GethWords): BlockReference {
  return TAGS.get(value) ?? { number: numberOf(value, position, words) }
}

/** Beyond 2^53 not exact, which is far beyond any head. */
function numberOf(value: unknown, position: number, { tooHigh, notText }: GethWords): number {
  if (typeof value !== 'string') throw refuse(position, notText(value))
  const fault = blockNumberFault(value, tooHigh)
  if (fault !== undefined) throw refuse(position, fault)
  return Number(value)
}

/** As the chain writes it. */
function hashOf(value: unknown, position: number, target?: string): string {
  const fault = hashFault(value, target)
  if (fault !== undefined || typeof value !== 'string') throw refuse(position, fault ?? '')
  return value.toLowerCase()
}

// Many clients write null for what they leave out.
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(position: number, reason: string) {
  // geth begins so, too.
  return invalidParams(`invalid argument ${position}: ${reason}`)
}
