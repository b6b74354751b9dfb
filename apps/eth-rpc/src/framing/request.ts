import { isUtf8 } from 'node:buffer'
import { elementsOf, membersOf, RefusedJson, skipBlank, type TextSpan } from './json-text.js'
import { invalidRequest, RPC_CODE, type RpcErrorObject } from './rpc-error.js'

/** Calls in one batch, as in geth. */
const MAX_BATCH_CALLS = 1000

/** The JSON of an `id`, as it came: numbers beyond 2^53, 1.0 and escapes are echoed as they are. */
export type Id = string

export interface JsonRpcCall {
  /** Undefined in a notification, which gets no answer. */
  readonly id: Id | undefined
  readonly method: string
  readonly params: readonly unknown[]
}

export interface CallRefusal {
  readonly id: Id
  readonly error: RpcErrorObject
  /** A notification, which gets no answer. */
  readonly isUnanswered?: true
}

export type FrameEntry = JsonRpcCall | CallRefusal

/** A body: one call, a batch, or neither. */
export type CallFrame =
  | { readonly single: FrameEntry }
  | { readonly batch: readonly FrameEntry[] }
  | { readonly refused: CallRefusal; readonly asBatch?: true }

export function isRefusal(entry: FrameEntry): entry is CallRefusal {
  return 'error' in entry
}

export function parseFrame(body: Buffer): CallFrame {
  const text = isUtf8(body) ? body.toString() : undefined
  const value = text === undefined ? undefined : parsed(text)
  if (text === undefined || value === undefined) return { refused: { id: NO_ID, error: { code: RPC_CODE.parse, message: 'parse error' } } }
  const start = skipBlank(text, 0)
  if (!Array.isArray(value)) return { single: entryOf(text, start, value) }
  return batchOf(text, start, value)
}

const NO_ID: Id = 'null'

function batchOf(text: string, start: number, values: readonly unknown[]): CallFrame {
  if (values.length === 0) return { refused: { id: NO_ID, error: invalidRequest('empty batch') } }
  try {
    const spans = elementsOf(text, start)
    if (values.length <= MAX_BATCH_CALLS) return { batch: values.map((value, i) => entryOf(text, spans[i]?.start ?? 0, value)) }
    const id = firstId(values.slice(0, MAX_BATCH_CALLS).map((value, i) => entryOf(text, spans[i]?.start ?? 0, value)))
    return { refused: { id, error: invalidRequest('batch too large') }, asBatch: true }
  } catch (error) {
    return { refused: { id: NO_ID, error: refusalOf(error) } }
  }
}

/** Like geth: of the first call that has one. */
function firstId(entries: readonly FrameEntry[]): Id {
  return entries.find((entry) => !isRefusal(entry) && entry.id !== undefined)?.id ?? NO_ID
}

function entryOf(text: string, start: number, value: unknown): FrameEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { id: NO_ID, error: invalidRequest('invalid request') }
  try {
    return callOf(text, membersOf(text, start).members, value as Record<string, unknown>)
  } catch (error) {
    return { id: NO_ID, error: refusalOf(error) }
  }
}

function callOf(text: string, members: ReadonlyMap<string, TextSpan>, value: Record<string, unknown>): FrameEntry {
  const span = members.get('id')
  const id = span && text.slice(span.start, span.end)
  if (span && !isId(value.id)) return { id: NO_ID, error: invalidRequest('invalid request') }
  const { jsonrpc, method, params = null } = value
  if (jsonrpc !== '2.0' || typeof method !== 'string' || method === '') return { id: id ?? NO_ID, error: invalidRequest('invalid request') }
  // Null like geth, whose own client used to send it.
  if (params === null) return { id, method, params: [] }
  if (Array.isArray(params)) return { id, method, params }
  const error = { code: RPC_CODE.invalidParams, message: 'non-array args' }
  return id === undefined ? { id: NO_ID, error, isUnanswered: true } : { id, error }
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || typeof id === 'number' || id === null
}

/** Undefined for what is no JSON: no JSON text means undefined. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusalOf(error: unknown): RpcErrorObject {
  if (error instanceof RefusedJson) return invalidRequest(`invalid request: ${error.message}`)
  throw error
}
