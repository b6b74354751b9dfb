import type { FailureKind } from '@trestle/contracts/eth-rpc/failures'
import type { CallOutcome } from '../framing/outcome.js'
import type { Id } from '../framing/request.js'
import type { AttemptOutcome, RpcErrorObject, RpcFailure } from '../framing/rpc-error.js'
import { paramKinds, redactedData, redactedMethod, redactedParams, redactedText } from './redaction.js'

/** A call that failed, as it comes from the gateway. */
export interface Failing {
  /** Of the method, where it is served. */
  readonly served?: string
  readonly id?: Id
  /** Undefined, as are the params, where there were none to be read. */
  readonly method?: string
  readonly params?: readonly unknown[]
  readonly outcome: CallOutcome
  readonly failure?: RpcFailure
  readonly ms: number
}

/** What is kept of a call besides what it is found by. */
export interface FailureDetail {
  readonly ms: number
  readonly request: { readonly id?: string; readonly params?: unknown[] }
  readonly error: { readonly message: string; readonly data?: unknown }
  readonly upstream?: string
  readonly attempts?: readonly AttemptOutcome[]
  readonly cached?: true
  /** The key of the project that was called with. */
  readonly key?: { readonly number: number; readonly name: string }
}

/** A sample of a call that failed, with the project's serial number. */
export interface FailureSample {
  readonly project: number
  readonly id: string
  readonly time: Date
  readonly requestId: string
  readonly method: string
  readonly code: number
  readonly detail: FailureDetail
}

const MAX_INT = 2_147_483_647

/** A code as it is stored: nodes may report any number. */
function storableCode(code: number): number {
  return Number.isInteger(code) && Math.abs(code) <= MAX_INT ? code : OTHER_CODE
}

export const OTHER_CODE = 0

// JSON-RPC 2.0 section 5.1 and EIP-1474; a revert is 3 of geth and most others, -32015 of older Nethermind and Parity.
const KINDS: Readonly<Record<number, FailureKind>> = {
  3: 'reverted',
  [-32015]: 'reverted',
  [-32700]: 'invalid',
  [-32600]: 'invalid',
  [-32602]: 'invalid',
  [-32601]: 'unserved',
  [-32016]: 'refused',
  [-32005]: 'limited',
  [-32003]: 'limited',
  [-32002]: 'unavailable',
  [-32603]: 'internal',
}

export function failureKindOf(code: number): FailureKind {
  return KINDS[code] ?? 'rejected'
}

/** How nodes, and we, begin an error. */
const CODE_FIRST = /^\{\s*"code"\s*:\s*(-?\d{1,9})\s*[,}]/

/** The code of the error that the caller got; hardly ever parsed, as one may be large, and there may be a flood of them. */
export function codeIn({ outcome, failure }: Pick<Failing, 'outcome' | 'failure'>): number {
  if (failure) return storableCode(failure.error.code)
  const [, code] = CODE_FIRST.exec(outcome.json.toString('latin1', 0, 64)) ?? []
  return code === undefined ? storableCode(errorIn({ outcome }).code) : Number(code)
}

/** The error that the caller got. */
export function errorIn({ outcome, failure }: Pick<Failing, 'outcome' | 'failure'>): RpcErrorObject {
  return failure?.error ?? (JSON.parse(outcome.json.toString()) as RpcErrorObject)
}

export function failureDetailOf({ served, id, params, outcome, failure, ms }: Failing, { message, data }: RpcErrorObject): FailureDetail {
  const attempts = failure?.attempts?.slice(0, MAX_ATTEMPTS)
  return {
    ms: Math.round(ms * 10) / 10,
    request: {
      ...(id !== undefined && { id: redactedText(id.slice(0, MAX_ID)) }),
      ...(params && { params: served === undefined ? paramKinds(params) : redactedParams(served, params) }),
    },
    error: { message: redactedText(message), ...(data !== undefined && { data: redactedData(data) }) },
    ...(outcome.by && { upstream: outcome.by.join(', ') }),
    ...(attempts && { attempts }),
    ...(outcome.cached && { cached: true }),
  }
}

const MAX_ATTEMPTS = 8
const MAX_ID = 64

/** The method as it is shown: of one that is not served what may be kept of its name. */
export function shownMethod({ served, method }: Pick<Failing, 'served' | 'method'>, otherwise: string): string {
  return served ?? (method === undefined ? otherwise : redactedMethod(method))
}

/** RFC 9562 section 5.7: ids that sort by their time. */
export function sampleId(time: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16)
  bytes.set(random.subarray(0, 16))
  bytes.writeUIntBE(time, 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
