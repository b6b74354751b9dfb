import type { ChainFamily } from '@trestle/contracts/chains/chain'
import { InvalidJson, parseStrictJson } from '@trestle/runtime/strict-json'
import { elementsOf, memberOf } from './json-elements.js'
import { type MethodKind, methodKindOf } from './rpc-methods.js'

/** The most calls of one batch. */
export const MAX_BATCH = 100

export interface CallError {
  readonly code: number
  readonly message: string
}

/** One that is let through. */
export interface AllowedCall {
  readonly method: string
  readonly kind: MethodKind
  readonly params: unknown
}

/** One that is not. */
export interface RefusedCall {
  readonly error: CallError
  /** It was a notification of JSON-RPC 2.0 section 4.1: nobody waits to be told. */
  readonly isUnanswered: boolean
}

export type FrameEntry = AllowedCall | RefusedCall

/** A body: one call, or a batch of them. */
export interface Frame {
  readonly isBatch: boolean
  readonly entries: readonly FrameEntry[]
}

/** What holds for a workload's calls. */
export interface MethodPolicy {
  readonly family: ChainFamily
  readonly network: string
}

export const CODE = { parse: -32700, invalid: -32600, methodNotFound: -32601 } as const

export function isRefused(entry: FrameEntry): entry is RefusedCall {
  return 'error' in entry
}

export function isCall(entry: FrameEntry): entry is AllowedCall {
  return 'kind' in entry
}

/** Looks at every call of a body; an error where the body as a whole is none. */
export function checkFrame(body: Buffer, policy: MethodPolicy): Frame | CallError {
  const value = parsed(body)
  if (value instanceof InvalidJson) return { code: CODE.parse, message: `Parse error: ${value.message}` }
  if (!Array.isArray(value)) return { isBatch: false, entries: [entryOf(value, policy)] }
  if (value.length === 0) return { code: CODE.invalid, message: 'The batch is empty' }
  if (value.length > MAX_BATCH) return { code: CODE.invalid, message: `The batch is too large: at most ${MAX_BATCH} calls` }
  return { isBatch: true, entries: value.map((each) => entryOf(each, policy)) }
}

/** The strict reader: what we and the node could read differently, as a member given twice, is refused. */
function parsed(body: Buffer): unknown {
  try {
    return parseStrictJson(body)
  } catch (error) {
    if (error instanceof InvalidJson) return error
    throw error
  }
}

// Go reads the names of members without regard to case, of two the last: `Method` beside `method` would be another call to geth than to us.
const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params'])

function entryOf(value: unknown, policy: MethodPolicy): FrameEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused('Invalid Request', CODE.invalid)
  const stranger = Object.keys(value).find((name) => !MEMBERS.has(name))
  if (stranger !== undefined) return refused('Invalid Request: a call has the members jsonrpc, id, method and params', CODE.invalid)
  const { method, params } = value as { method?: unknown; params?: unknown }
  if (typeof method !== 'string') return refused('Invalid Request: a call has a method', CODE.invalid)
  const kind = methodKindOf(method, policy)
  if (kind) return { method, kind, params }
  // To bitcoind no id is the id null.
  return refused('Method not found: it is not offered here', CODE.methodNotFound, policy.family === 'evm' && !('id' in value))
}

function refused(message: string, code: number, isUnanswered = false): RefusedCall {
  return { error: { code, message }, isUnanswered }
}

/** An error in the form of the family, with the id as it came. */
export function errorText({ code, message }: CallError, family: ChainFamily, call?: string): string {
  const id = (call?.startsWith('{') && memberOf(call, 'id')) || 'null'
  const error = JSON.stringify({ code, message })
  const known = /^["\d-]/.test(id) ? id : 'null'
  return family === 'evm' ? `{"jsonrpc":"2.0","id":${known},"error":${error}}` : `{"result":null,"error":${error},"id":${known}}`
}

/** HTTP status of an error alone: geth's is 200 whatever it says, bitcoind's tells. What its whitelist refuses is 403 to bitcoind too. */
export function errorStatus({ code }: CallError, family: ChainFamily): number {
  if (family === 'evm') return 200
  if (code === CODE.methodNotFound) return 403
  return code === CODE.invalid ? 400 : 500
}

/** The batch that is sent on, without what is refused. */
export function allowedPart(text: string, entries: readonly FrameEntry[]): string {
  return `[${elementsOf(text)
    .filter((_, i) => !isRefused(entries[i] as FrameEntry))
    .join(',')}]`
}

/** A batch of which something is refused. */
export interface Mixed {
  readonly text: string
  readonly entries: readonly FrameEntry[]
  readonly family: ChainFamily
}

/** The node's answers, and in their places the refusals; undefined where what the node said is no batch of answers. */
export function joinedAnswers({ text, entries, family }: Mixed, answer: string): string | undefined {
  if (!answer.trimStart().startsWith('[')) return undefined
  const answers = elementsOf(answer)
  const calls = elementsOf(text)
  const told = entries.map((entry, i) => (isRefused(entry) && !entry.isUnanswered ? errorText(entry.error, family, calls[i]) : undefined))
  const sent = entries.filter(isCall).length
  // Of notifications there are no answers: what belongs to which only the ids tell then (JSON-RPC 2.0 section 6).
  const inPlace =
    answers.length === sent ? entries.map((entry, i) => (isRefused(entry) ? told[i] : answers.shift())) : [...answers, ...told]
  return `[${inPlace.filter((each) => each !== undefined).join(',')}]`
}
