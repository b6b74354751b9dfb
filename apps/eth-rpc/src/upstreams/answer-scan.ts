import { isUtf8 } from 'node:buffer'
import type { CallOutcome } from '../framing/outcome.js'
import type { RpcErrorObject } from '../framing/rpc-error.js'
import { NOT_JSON, skipSpace, skipString, skipValue } from './json-scan.js'
import { UpstreamFault } from './upstream-fault.js'

/** The id of every call to an upstream: the connection shows which answer belongs to which call. */
export const SENT_ID = 1

export interface ScannedAnswer {
  readonly outcome: CallOutcome
  /** Where the outcome is an error: the error. */
  readonly error?: RpcErrorObject
}

interface Shape {
  readonly head: string
  readonly tail: string
}

/** How nodes write a result: geth, erigon, reth, besu and anvil; nethermind. */
const SHAPES: readonly Shape[] = [
  { head: `{"jsonrpc":"2.0","id":${SENT_ID},"result":`, tail: '}' },
  { head: '{"jsonrpc":"2.0","result":', tail: `,"id":${SENT_ID}}` },
]
const MEMBERS = ['"error"', '"result"', '"id"', '"jsonrpc"']

// Checking every byte costs as much as parsing: a longer result is trusted where it begins and ends as nodes write it.
const SMALL_BYTES = 1024
const MAX_ERROR_BYTES = 4 * 1024 * 1024
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const QUOTE = 0x22
const COLON = 0x3a
const COMMA = 0x2c

/** The answer of an upstream to a single call, hardly ever parsed. Throws an UpstreamFault where it is none. */
export function scanAnswer(bytes: Buffer, by?: readonly string[]): ScannedAnswer {
  // RFC 8259 section 8.1
  if (!isUtf8(bytes)) throw malformed('what is no UTF-8')
  const result = usualResult(bytes)
  if (result) return { outcome: { member: 'result', json: result, by } }
  return answerOf(scanMembers(bytes), by)
}

function usualResult(bytes: Buffer): Buffer | undefined {
  const end = trimmedEnd(bytes)
  for (const { head, tail } of SHAPES) {
    const last = end - tail.length
    if (last <= head.length || textOf(bytes, 0, head.length) !== head || textOf(bytes, last, end) !== tail) continue
    const value = bytes.subarray(head.length, last)
    const isWhole = value.length > SMALL_BYTES ? looksWhole(value) : skipValue(value, 0) === value.length
    return isWhole ? value : undefined
  }
  return undefined
}

function textOf(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to)
}

function trimmedEnd(bytes: Buffer): number {
  let end = bytes.length
  // Some nodes end an answer with a line feed.
  while (end > 0 && (bytes[end - 1] as number) <= 0x20) end--
  return end
}

/** Whether this is one value, judging by its ends: no other member of the answer may hide in it. */
function looksWhole(value: Buffer): boolean {
  const [first, last] = [value[0], value[value.length - 1]]
  if (first === QUOTE) return skipString(value, 0) === value.length
  const isClosed = (first === OPEN_BRACE && last === CLOSE_BRACE) || (first === OPEN_BRACKET && last === CLOSE_BRACKET)
  if (!isClosed) return false
  const tail = textOf(value, value.length - SMALL_BYTES, value.length)
  return !MEMBERS.some((member) => tail.includes(member))
}

function scanMembers(bytes: Buffer): Map<string, Buffer> {
  const members = new Map<string, Buffer>()
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== OPEN_BRACE) throw malformed('no JSON object')
  do {
    const [name, from, to] = scanMember(bytes, skipSpace(bytes, at + 1))
    if (members.has(name)) throw malformed('an answer with a member twice')
    members.set(name, bytes.subarray(from, to))
    at = skipSpace(bytes, to)
  } while (bytes[at] === COMMA)
  if (bytes[at] !== CLOSE_BRACE) throw malformed('broken JSON')
  if (skipSpace(bytes, at + 1) !== bytes.length) throw malformed('more than an answer')
  return members
}

function scanMember(bytes: Buffer, at: number): [name: string, from: number, to: number] {
  const nameEnd = bytes[at] === QUOTE ? skipString(bytes, at) : NOT_JSON
  if (nameEnd === NOT_JSON) throw malformed('broken JSON')
  const colon = skipSpace(bytes, nameEnd)
  const from = skipSpace(bytes, colon + 1)
  const to = bytes[colon] === COLON ? skipValue(bytes, from) : NOT_JSON
  if (to === NOT_JSON) throw malformed('broken JSON')
  return [nameOf(bytes.subarray(at, nameEnd)), from, to]
}

function nameOf(quoted: Buffer): string {
  try {
    return JSON.parse(quoted.toString())
  } catch {
    throw malformed('broken JSON')
  }
}

function answerOf(members: ReadonlyMap<string, Buffer>, by: readonly string[] | undefined): ScannedAnswer {
  const [result, error] = [members.get('result'), members.get('error')]
  if (members.get('id')?.toString() !== String(SENT_ID)) throw malformed('an answer to something else')
  if ((members.get('jsonrpc')?.toString() ?? '"2.0"') !== '"2.0"') throw malformed('another version of JSON-RPC')
  if (result && error) throw malformed('both a result and an error')
  if (result) return { outcome: { member: 'result', json: result, by } }
  if (error) return { outcome: { member: 'error', json: error, by }, error: errorOf(error) }
  throw malformed('neither a result nor an error')
}

function errorOf(json: Buffer): RpcErrorObject {
  if (json.length > MAX_ERROR_BYTES) throw malformed('an error without end')
  const error = parsed(json)
  if (!isRpcError(error)) throw malformed('an error without code or message')
  return error
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString())
  } catch {
    throw malformed('broken JSON')
  }
}

function isRpcError(value: unknown): value is RpcErrorObject {
  if (typeof value !== 'object' || value === null) return false
  const { code, message } = value as Partial<RpcErrorObject>
  return typeof code === 'number' && typeof message === 'string'
}

function malformed(what: string): UpstreamFault {
  return new UpstreamFault('malformed', `sent ${what}`)
}
