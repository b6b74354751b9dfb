import { TransportFault, type TransportFaultKind } from '@trestle/gateway/upstream/transport-fault'

/** Why an upstream gave no answer. `malformed` is also what no JSON-RPC server answers to the call. */
export type UpstreamFaultKind =
  | TransportFaultKind
  /** Another HTTP status than that of an answer. */
  | 'status'
  /** Called too often. */
  | 'limited'

/** An upstream gave no answer; nothing of its address is in the message. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault'

  constructor(
    readonly kind: UpstreamFaultKind,
    message: string,
    /** How long it asks us to wait. */
    readonly retryAfterMs?: number,
  ) {
    super(message)
  }
}

/** A fault of the transport as one of the upstream; any other error as it is. */
export function asUpstreamFault(error: unknown): unknown {
  return error instanceof TransportFault ? new UpstreamFault(error.kind, error.message) : error
}

const MIN_REST_MS = 1_000
const MAX_REST_MS = 60_000

// Some nodes and gateways give a JSON-RPC error one of these.
const STATUS_OF_ERRORS = new Set([400, 500])

/** What a status other than 200 means; undefined where the body is the answer all the same. */
export function faultOfStatus(status: number, headers: ReadonlyMap<string, string>, now: number): UpstreamFault | undefined {
  if (STATUS_OF_ERRORS.has(status) && /^application\/json/i.test(headers.get('content-type') ?? '')) return undefined
  if (status === 429) return new UpstreamFault('limited', 'answers with HTTP status 429', restOf(headers.get('retry-after'), now))
  return new UpstreamFault('status', `answers with HTTP status ${status}`)
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function restOf(retryAfter: string | undefined, now: number): number {
  const text = retryAfter?.trim() ?? ''
  const rest = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  if (Number.isNaN(rest)) return MIN_REST_MS
  return Math.min(Math.max(rest, MIN_REST_MS), MAX_REST_MS)
}
