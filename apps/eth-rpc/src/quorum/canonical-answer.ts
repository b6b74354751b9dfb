import { canonicalJson } from '../cache/canonical-json.js'
import type { CallOutcome } from '../framing/outcome.js'

/** Members that some clients add, leave out or compute otherwise, and that nothing else depends on. They are not compared. */
const UNCOMPARED: ReadonlySet<string> = new Set([
  // Of blocks.
  'totalDifficulty',
  'size',
  'author',
  'sealFields',
  // Of transactions: the same as v, or what the signature already says.
  'yParity',
  'chainId',
  'creates',
  'publicKey',
  'raw',
  'standardV',
  // Of receipts and logs; the time is that of the block.
  'revertReason',
  'transactionLogIndex',
  'logType',
  'blockTimestamp',
])

/** How nodes say that the virtual machine has stopped a call. */
const HALTED = /out of gas|invalid (opcode|jump|instruction)|bad (jump|instruction)|stack ?(under|over)flow|stack limit|write protection/i
const REVERTED = /revert/i
const UNFUNDED = /insufficient (funds|balance)/i
const REVERT_CODE = 3
const INVALID_CALL = [-32602, -32600]
const HEX = /0x[0-9a-fA-F]*$/

/**
 * The same text for answers that mean the same: whatever the order of members, the case of hexadecimal digits, members that are null or
 * left out, and, of an error, its words. Undefined for what other readers may understand otherwise.
 */
export function canonicalAnswer({ member, json }: CallOutcome): string | undefined {
  try {
    const text = json.toString()
    const value: unknown = JSON.parse(text)
    if (countMembers(value) !== countNames(text)) return undefined
    return member === 'result' ? canonicalJson(comparable(value)) : meaningOfError(value)
  } catch {
    return undefined
  }
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([name, each]) => each !== null && !UNCOMPARED.has(name))
  return Object.fromEntries(members.map(([name, each]) => [name, comparable(each)]))
}

/** A contract's own refusal by its data; other errors of calls by what they mean, and any other by its code and words. */
function meaningOfError(error: unknown): string {
  const { code, message, data } = isObject(error) ? error : {}
  const words = String(message)
  if (code === REVERT_CODE || REVERTED.test(words) || REVERTED.test(String(data))) return `reverted ${revertData(data)}`
  if (HALTED.test(words)) return 'halted'
  if (UNFUNDED.test(words)) return 'unfunded'
  if (INVALID_CALL.includes(Number(code))) return 'invalid'
  return `error ${code} ${words.toLowerCase()}`
}

/** Some clients write `Reverted 0x…`. */
function revertData(data: unknown): string {
  return (typeof data === 'string' && HEX.exec(data)?.[0].toLowerCase()) || '0x'
}

/** A member that stands twice is one of what is parsed: another reader may take the other. */
function countMembers(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + countMembers(each), 0)
  if (!isObject(value)) return 0
  return Object.values(value).reduce<number>((sum, each) => sum + 1 + countMembers(each), 0)
}

function countNames(text: string): number {
  let count = 0
  for (const [, colon] of text.matchAll(STRINGS)) if (colon) count++
  return count
}

const STRINGS = /"(?:[^"\\]|\\.)*"\s*(:?)/g

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
