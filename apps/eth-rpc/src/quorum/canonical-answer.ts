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
const HEX = /^0x[0-9a-fA-F]*$/
const HEX_AT_END = /0x[0-9a-fA-F]*$/
/** Nobody else is served meanwhile. */
const MAX_BYTES = 2 * 1024 * 1024
const MAX_DEPTH = 64

/**
 * The same text for answers that mean the same: whatever the order of members, the case of hexadecimal digits, members that are null or
 * left out, and, of an error, its words. Undefined for what other readers may understand otherwise.
 */
export function canonicalAnswer({ member, json }: CallOutcome): string | undefined {
  if (json.length > MAX_BYTES) return undefined
  try {
    const text = json.toString()
    const value: unknown = JSON.parse(text)
    // What is the same when it is written again has no member twice.
    if (JSON.stringify(value) !== text && countMembers(value) !== countNames(text)) return undefined
    return member === 'result' ? new CanonicalWriter().write(value, 0) : meaningOfError(value)
  } catch {
    return undefined
  }
}

interface Member {
  readonly name: string
  /** As JSON, with its colon. */
  readonly before: string
}

/** Objects of one answer mostly have the same members: their order is found once. */
class CanonicalWriter {
  private readonly orders = new Map<string, readonly Member[]>()

  write(value: unknown, depth: number): string {
    if (typeof value === 'string') return HEX.test(value) ? `"${value.toLowerCase()}"` : JSON.stringify(value)
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError('beyond 2^53')
    if (!isObject(value)) return String(value)
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply')
    return Array.isArray(value) ? `[${value.map((each) => this.write(each, depth + 1)).join()}]` : this.writeMembers(value, depth + 1)
  }

  private writeMembers(value: Record<string, unknown>, depth: number): string {
    let json = '{'
    for (const { name, before } of this.orderOf(Object.keys(value))) {
      const each = value[name]
      if (each !== null) json += `${before}${this.write(each, depth)},`
    }
    return `${json}}`
  }

  private orderOf(names: string[]): readonly Member[] {
    const key = names.join('"')
    let order = this.orders.get(key)
    if (!order) {
      const compared = names.filter((name) => !UNCOMPARED.has(name)).sort()
      order = compared.map((name) => ({ name, before: `${JSON.stringify(name)}:` }))
      this.orders.set(key, order)
    }
    return order
  }
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
  return (typeof data === 'string' && HEX_AT_END.exec(data)?.[0].toLowerCase()) || '0x'
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
