import type { RpcMethod } from '../methods/method.js'

/** The block that an answer names as its own. */
export interface NamedBlock {
  readonly number: number
  readonly hash?: string
}

const NAMES = {
  block: { number: Buffer.from('"number"'), hash: Buffer.from('"hash"') },
  transaction: { number: Buffer.from('"blockNumber"'), hash: Buffer.from('"blockHash"') },
} as const

const COLON = 0x3a
const QUOTE = 0x22
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d])
// 0x and 2^53 - 1, 0x and a hash.
const MAX_LENGTH = 66
const MAX_DIGITS = 14

/**
 * Finds the members without parsing the rest: no other member of a block, transaction, receipt or log has these names, and inside a
 * string the quote that follows a name would be escaped. Undefined where it is pending, absent or odd.
 */
export function namedBlock({ namesBlock }: RpcMethod, json: Buffer): NamedBlock | undefined {
  if (!namesBlock) return undefined
  const number = numberOf(textAfter(NAMES[namesBlock].number, json))
  if (number === undefined) return undefined
  return { number, hash: textAfter(NAMES[namesBlock].hash, json)?.toLowerCase() }
}

function numberOf(text: string | undefined): number | undefined {
  if (!text?.startsWith('0x') || text.length > 2 + MAX_DIGITS) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

/** The string that is the value of the first member of that quoted name, from that position on. */
export function textAfter(name: Buffer, json: Buffer, from = 0): string | undefined {
  const found = json.indexOf(name, from)
  if (found < 0) return undefined
  const colon = skipSpace(json, found + name.length)
  if (json[colon] !== COLON) return undefined
  const start = skipSpace(json, colon + 1)
  if (json[start] !== QUOTE) return undefined
  const end = json.indexOf(QUOTE, start + 1)
  return end < 0 || end - start - 1 > MAX_LENGTH ? undefined : json.toString('latin1', start + 1, end)
}

function skipSpace(json: Buffer, from: number): number {
  let position = from
  while (SPACES.has(json[position] as number)) position++
  return position
}
