import { invalidParams } from '../framing/rpc-error.js'
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
const DIGITS = /^[0-9a-fA-F]+$/
// 2^53 - 1 has 14 digits.
const MAX_DIGITS = 14
const HASH_LENGTH = 66

/** Throws -32602 for what names no block; undefined where the method is about none, or needs one and has none. */
export function blockReferenceOf(method: RpcMethod, params: readonly unknown[]): BlockReference | undefined {
  const position = method.blockParam
  if (position === undefined) return undefined
  const value = params[position] ?? undefined
  if (method.blockForm === 'criteria') return lastOf(blockRangeOf(value, position))
  if (value === undefined) return method.blockOptional && params.length >= position ? LATEST : undefined
  return method.blockForm === 'hash' ? { hash: hashOf(value, position) } : referenceOf(value, position)
}

/** Of the criteria of `eth_getLogs`, `eth_newFilter` and the like. */
export function blockRangeOf(criteria: unknown, position = 0): BlockReferenceRange {
  if (criteria === undefined) throw invalidParams(`missing value for required argument ${position}`)
  if (!isObject(criteria)) throw refuse(position, 'the filter is not an object')
  const { fromBlock, toBlock, blockHash } = criteria
  if (isGiven(blockHash)) {
    if (isGiven(fromBlock) || isGiven(toBlock)) throw refuse(position, 'blockHash goes with neither fromBlock nor toBlock')
    return { hash: hashOf(blockHash, position) }
  }
  const from = isGiven(fromBlock) ? numberOrTagOf(fromBlock, position) : LATEST
  const to = isGiven(toBlock) ? numberOrTagOf(toBlock, position) : LATEST
  if ('number' in from && 'number' in to && from.number > to.number) throw refuse(position, 'fromBlock is after toBlock')
  return { from, to }
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

function referenceOf(value: unknown, position: number): BlockReference {
  // EIP-1898
  if (isObject(value)) return referenceInside(value, position)
  // Nodes that know EIP-1898 accept a hash in place of a number.
  if (typeof value === 'string' && value.length === HASH_LENGTH) return { hash: hashOf(value, position) }
  return numberOrTagOf(value, position)
}

function referenceInside({ blockNumber, blockHash, requireCanonical }: Record<string, unknown>, position: number): BlockReference {
  if (isGiven(requireCanonical) && typeof requireCanonical !== 'boolean') throw refuse(position, 'requireCanonical is not a boolean')
  if (isGiven(blockNumber) === isGiven(blockHash)) throw refuse(position, 'a block object has either blockNumber or blockHash')
  return isGiven(blockHash) ? { hash: hashOf(blockHash, position) } : numberOrTagOf(blockNumber, position)
}

function numberOrTagOf(value: unknown, position: number): BlockReference {
  return TAGS.get(value) ?? { number: numberOf(value, position) }
}

/** EIP-1474: quantities have 0x, at least one digit, and no leading zeros. */
function numberOf(value: unknown, position: number): number {
  if (typeof value !== 'string') throw refuse(position, 'a block is a 0x string or a tag')
  if (!value.startsWith('0x')) throw refuse(position, 'a block number without 0x, or an unknown tag')
  const digits = value.slice(2)
  if (!DIGITS.test(digits))
    throw refuse(position, digits === '' ? 'a block number without digits' : 'a block number that is not hexadecimal')
  if (digits.length > 1 && digits.startsWith('0')) throw refuse(position, 'a block number with leading zeros')
  const number = digits.length > MAX_DIGITS ? Number.POSITIVE_INFINITY : Number.parseInt(digits, 16)
  if (!Number.isSafeInteger(number)) throw refuse(position, 'a block number beyond 2^53')
  return number
}

/** As the chain writes it. */
function hashOf(value: unknown, position: number): string {
  if (typeof value !== 'string' || value.length !== HASH_LENGTH || !value.startsWith('0x') || !DIGITS.test(value.slice(2))) {
    throw refuse(position, 'a block hash is 0x and 64 hexadecimal digits')
  }
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
