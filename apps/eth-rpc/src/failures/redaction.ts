import { isSecretName } from '@trestle/runtime/secret-names'
import { transactionHash } from '../upstreams/transaction-hash.js'

// What may be kept of a call that failed. Its params are the callers' own: what is no hex, number or word of the API is never kept, nor is a
// value of the size of a key, wherever it stands. Only call data may be long.

const MAX_ENTRIES = 32
const MAX_DEPTH = 12
/** Of all params together. */
const MAX_CHARS = 8_192
const MAX_DATA_DIGITS = 4_096
const MAX_TEXT = 1_024
/** An address. */
const ADDRESS_DIGITS = 40
/** Call data of these sizes may be a key: 32 bytes, a few more or less. A selector with one argument has 72 digits. */
const KEY_DIGITS = { min: 41, max: 71 }
const MAX_HASHED_CHARS = 300_000

const HEX = /^0x[0-9a-f]*$/i
const ADDRESS = /^0x[0-9a-f]{40}$/i
const DECIMAL = /^-?\d{1,20}$/
const MEMBER = /^[A-Za-z]\w{0,31}$/
/** Names and tags of the API, which tell nothing of anybody. */
const WORDS = new Set([
  ...['latest', 'earliest', 'pending', 'safe', 'finalized'],
  ...['newHeads', 'logs', 'newPendingTransactions', 'transactionReceipts', 'syncing'],
  ...['callTracer', 'prestateTracer', 'flatCallTracer', '4byteTracer', 'muxTracer', 'noopTracer', 'trace', 'vmTrace', 'stateDiff'],
])
const SECRET = /private|seed|credential|bearer|api_?key|jwt|cookie|session|^(pass|pwd|pw|pin|key)$/i
/** In a message: `password=x`, `"secret": "x"`. */
const SECRET_MEMBER =
  /(?<![\w-])([\w-]{0,40}?(?:password|passphrase|passwd|secret|mnemonic|authorization|private_?key|api[-_]?key)[\w-]{0,40}"?\s*[:=]\s*"?)[^\s",;}]+/gi
/** `Token: paused` is what a contract says. */
const PERHAPS_SECRET_MEMBER = /(?<![\w-])([\w-]{0,40}?(?:token|key|seed|pass|pwd)"?\s*[:=]\s*"?)[^\s",;}]{12,}/gi
const CALL_DATA = new Set(['data', 'input'])
const RAW_TRANSACTION = new Set(['eth_sendRawTransaction', 'eth_sendRawTransactionSync', 'trace_rawTransaction'])

const REDACTED = '<redacted>'
const MORE = '...'

/** How much may still be kept. */
interface Room {
  chars: number
}

/** Of a method that is served: others may take anything. */
export function redactedParams(method: string, params: readonly unknown[]): unknown[] {
  const room = { chars: MAX_CHARS }
  return cutArray(params, room, (param, index) => {
    if (index === 0 && RAW_TRANSACTION.has(method)) return describedTransaction(param)
    return redacted(param, paramText, { room, depth: 0 })
  })
}

/** What kinds of values they are. */
export function paramKinds(params: readonly unknown[]): string[] {
  const kinds = params.slice(0, MAX_ENTRIES).map((param) => `<${kindOf(param)}>`)
  return params.length > MAX_ENTRIES ? [...kinds, moreOf(params.length - MAX_ENTRIES)] : kinds
}

/** An error's `data`: of a revert what the contract said. */
export function redactedData(data: unknown): unknown {
  return redacted(data, (text, isData) => (HEX.test(text) ? hexText(text, isData) : redactedText(text)), {
    room: { chars: MAX_CHARS },
    depth: 0,
    isData: true,
  })
}

/** A message of a node or of ours, which may quote the call. */
export function redactedText(text: string): string {
  const cut = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT).toWellFormed() + MORE : text
  return cut
    .replace(/\b(?:https?|wss?):\/\/[^\s"'<>]+/gi, '<url>')
    .replace(/\b(bearer|basic)\s+[^\s",;]+/gi, `$1 ${REDACTED}`)
    .replace(SECRET_MEMBER, `$1${REDACTED}`)
    .replace(PERHAPS_SECRET_MEMBER, `$1${REDACTED}`)
    .replace(/(?:0x)?[0-9a-f]{41,}/gi, (digits) => shortened(digits))
    .replace(/[\w+/=-]{40,}/g, (run) => (ADDRESS.test(run) ? run : `<${run.length} characters>`))
}

/** A name that is no method's may be anything. */
export function redactedMethod(name: string): string {
  return /^[A-Za-z][A-Za-z0-9]{0,15}_[A-Za-z0-9_]{1,40}$/.test(name) ? name : redactedParamText(name)
}

interface Place {
  readonly room: Room
  readonly depth: number
  /** Where call data stands. */
  readonly isData?: boolean
}

type RedactText = (text: string, isData: boolean) => string

function redacted(value: unknown, textOf: RedactText, { room, depth, isData = false }: Place): unknown {
  if (room.chars <= 0) return MORE
  // A number, too, costs a little, so that many of them have an end.
  room.chars -= 8
  if (typeof value === 'string') return take(textOf(value, isData), room)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return `<${kindOf(value)}>`
  const inner = { room, depth: depth + 1 }
  if (Array.isArray(value)) return cutArray(value, room, (element) => redacted(element, textOf, inner))
  const entries = Object.entries(value)
  const kept = entries.slice(0, MAX_ENTRIES).map(([name, member]): [string, unknown] => {
    const key = take(memberName(name), room)
    return [key, isSecret(name) ? REDACTED : redacted(member, textOf, { ...inner, isData: CALL_DATA.has(name) })]
  })
  if (entries.length > MAX_ENTRIES) kept.push([MORE, moreOf(entries.length - MAX_ENTRIES)])
  return Object.fromEntries(kept)
}

function cutArray(values: readonly unknown[], room: Room, each: (value: unknown, index: number) => unknown): unknown[] {
  const kept: unknown[] = []
  for (const [index, value] of values.entries()) {
    if (index === MAX_ENTRIES || room.chars <= 0) return [...kept, moreOf(values.length - index)]
    kept.push(each(value, index))
  }
  return kept
}

function paramText(text: string, isData: boolean): string {
  return HEX.test(text) ? hexText(text, isData) : redactedParamText(text)
}

function redactedParamText(text: string): string {
  return WORDS.has(text) || DECIMAL.test(text) ? text : `<string of ${text.length} characters>`
}

function hexText(text: string, isData: boolean): string {
  const digits = text.length - 2
  if (digits <= ADDRESS_DIGITS) return text
  if (!isData || (digits >= KEY_DIGITS.min && digits <= KEY_DIGITS.max)) return shortened(text)
  return digits <= MAX_DATA_DIGITS ? text : `${text.slice(0, MAX_DATA_DIGITS + 2)}${moreOf(digits - MAX_DATA_DIGITS, 'digits')}`
}

/** Enough to recognize it by. */
function shortened(hex: string): string {
  const start = /^0x/i.test(hex) ? 2 : 0
  return `${hex.slice(0, start + 8)}...${hex.slice(-4)} (${(hex.length - start) / 2} bytes)`
}

function describedTransaction(raw: unknown): unknown {
  if (typeof raw !== 'string') return `<${kindOf(raw)}>`
  const bytes = Math.max(0, Math.floor(raw.length / 2) - 1)
  const hash = raw.length > MAX_HASHED_CHARS ? undefined : transactionHash(raw)
  return hash === undefined ? { bytes } : { transactionHash: hash, bytes }
}

function memberName(name: string): string {
  if (MEMBER.test(name)) return name
  return HEX.test(name) ? hexText(name, false) : '<member>'
}

function isSecret(name: string): boolean {
  // The code of a state override is no secret, and too long to be kept as it is.
  return name !== 'code' && (isSecretName(name) || SECRET.test(name))
}

function take(text: string, room: Room): string {
  const cut = text.length > room.chars ? text.slice(0, Math.max(0, room.chars)) + MORE : text
  room.chars -= text.length
  return cut
}

function moreOf(count: number, of = 'more'): string {
  return `${MORE} ${count} ${of}`
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
