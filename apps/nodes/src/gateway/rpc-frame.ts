import type { ChainFamily } from '@trestle/contracts/chains/chain'
import { InvalidJson, parseStrictJson } from '@trestle/runtime/strict-json'
import type { DaemonName } from '../catalogue/blueprint.js'
import { isPrivateChain } from '../software/program-setup.js'
import { elementTexts, memberOf } from './json-elements.js'
import { type MethodKind, methodKindOf } from './rpc-methods.js'

/** Calls of one batch. */
const MAX_BATCH = 100

export interface CallError {
  readonly code: number
  readonly message: string
}

/** A call that is admitted. */
export interface AllowedCall {
  readonly method: string
  readonly kind: MethodKind
  readonly params: unknown
}

/** A call that is not. */
interface RefusedCall {
  readonly error: CallError
  /** A notification (JSON-RPC 2.0 section 4.1), which gets no answer. */
  readonly isUnanswered: boolean
}

export type NodeCallEntry = AllowedCall | RefusedCall

/** A body: one call, or a batch of them. */
export interface Frame {
  readonly isBatch: boolean
  readonly entries: readonly NodeCallEntry[]
}

/** Which methods a workload offers. */
export interface NodeCallPolicy {
  readonly family: ChainFamily
  readonly network: string
  readonly daemon?: DaemonName
  readonly isOpen?: boolean
}

const CODE = { parse: -32700, invalid: -32600, methodNotFound: -32601 } as const

export function isRefused(entry: NodeCallEntry): entry is RefusedCall {
  return 'error' in entry
}

export function isCall(entry: NodeCallEntry): entry is AllowedCall {
  return 'kind' in entry
}

/** Checks every call of a body; an error where the body as a whole is invalid. */
export function checkFrame(body: Buffer, policy: NodeCallPolicy): Frame | CallError {
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

function entryOf(value: unknown, policy: NodeCallPolicy): NodeCallEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused('Invalid Request', CODE.invalid)
  const unknown = Object.keys(value).find((name) => !MEMBERS.has(name))
  if (unknown !== undefined) return refused('Invalid Request: a call has the members jsonrpc, id, method and params', CODE.invalid)
  const { method, params } = value as { method?: unknown; params?: unknown }
  if (typeof method !== 'string') return refused('Invalid Request: a call has a method', CODE.invalid)
  const kind = methodKindOf(method, policy)
  if (kind) return { method, kind, params }
  // bitcoind reads a missing id as null.
  return refused(reasonOf(method, policy), CODE.methodNotFound, policy.family === 'evm' && !('id' in value))
}

function reasonOf(method: string, { network, daemon = 'anvil' }: NodeCallPolicy): string {
  const makesItself = method === 'evm_mine' && isPrivateChain({ network }) && daemon !== 'anvil'
  return makesItself ? `Method not found: ${daemon} makes a block every two seconds` : 'Method not found: it is not offered here'
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

/** HTTP status of a single error: geth's is always 200, bitcoind's varies, with 403 for what its whitelist refuses. */
export function errorStatus({ code }: CallError, family: ChainFamily): number {
  if (family === 'evm') return 200
  if (code === CODE.methodNotFound) return 403
  return code === CODE.invalid ? 400 : 500
}

/** The batch without its refused calls. */
export function allowedPart(text: string, entries: readonly NodeCallEntry[]): string {
  return `[${elementTexts(text)
    .filter((_, i) => !isRefused(entries[i] as NodeCallEntry))
    .join(',')}]`
}

/** A batch with refused calls. */
interface Mixed {
  readonly text: string
  readonly entries: readonly NodeCallEntry[]
  readonly family: ChainFamily
}

/** The node's answers with the refusals in their places; undefined where the node did not answer with a batch. */
export function joinedAnswers({ text, entries, family }: Mixed, answer: string): string | undefined {
  if (!answer.trimStart().startsWith('[')) return undefined
  const answers = elementTexts(answer)
  const calls = elementTexts(text)
  const refusals = entries.map((entry, i) =>
    isRefused(entry) && !entry.isUnanswered ? errorText(entry.error, family, calls[i]) : undefined,
  )
  const sent = entries.filter(isCall).length
  // Notifications have no answers: then only the ids say which answer is whose (JSON-RPC 2.0 section 6).
  const inPlace =
    answers.length === sent ? entries.map((entry, i) => (isRefused(entry) ? refusals[i] : answers.shift())) : [...answers, ...refusals]
  return `[${inPlace.filter((each) => each !== undefined).join(',')}]`
}
