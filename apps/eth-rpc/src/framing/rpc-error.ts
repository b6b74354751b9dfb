/** The `error` member of a JSON-RPC answer. */
export interface RpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

// JSON-RPC 2.0 section 5.1, and EIP-1474 for what is below -32000.
export const RPC_CODE = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
  unavailable: -32002,
  limit: -32005,
  unauthorized: -32016,
} as const

/** What came of asking an upstream that had no answer to show. */
export interface AttemptOutcome {
  readonly upstream: string
  readonly outcome: string
}

/** A call is refused, or has failed. */
export class RpcFailure extends Error {
  /** The upstreams that were asked in vain; callers do not see them. */
  attempts?: readonly AttemptOutcome[]

  constructor(
    readonly error: RpcErrorObject,
    /** Of a response that is nothing but this error. */
    readonly status = 200,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(error.message)
  }
}

export function invalidRequest(message: string): RpcErrorObject {
  return { code: RPC_CODE.invalidRequest, message }
}

export function invalidParams(message: string): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.invalidParams, message })
}

export function methodNotFound(method: string): RpcErrorObject {
  // The words of geth, which clients know. A name may be of any length.
  const name = method.length > 64 ? `${method.slice(0, 64)}...`.toWellFormed() : method
  return { code: RPC_CODE.methodNotFound, message: `the method ${name} does not exist/is not available` }
}

/** An unexpected error; the log has the details. */
export function unforeseen(): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.internal, message: 'something went wrong on our side' }, 500)
}

/** No upstream can answer now; a later call may succeed. */
export function unavailable(message: string, status: 503 | 504 = 503): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.unavailable, message }, status, status === 503 ? { 'retry-after': '1' } : {})
}
