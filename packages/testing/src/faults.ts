/** A way in which a node fails. */
export type Fault =
  /** Nothing listens, and all connections are closed. */
  | { readonly kind: 'dead' }
  /** Accepts the request and never responds. */
  | { readonly kind: 'hanging' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** 429, also to the upgrade of a WebSocket. */
  | { readonly kind: 'rate-limited'; readonly retryAfter?: string }
  | { readonly kind: 'status'; readonly status: number; readonly body?: string }
  /** Half of the response, then the connection is reset. */
  | { readonly kind: 'reset' }
  /** Half of the response, with a length that says it is complete. */
  | { readonly kind: 'truncated' }
  /** A chunked body that never ends. */
  | { readonly kind: 'endless' }
  /** Knows no block later than this many below the head when the fault was set, and announces none. */
  | { readonly kind: 'stale'; readonly behind: number }
  | { readonly kind: 'wrong-chain'; readonly chainId: number }
  | { readonly kind: 'null' }
  /** A result that is not its own. */
  | { readonly kind: 'lie'; readonly result: unknown }
  /** A result of this many bytes. */
  | { readonly kind: 'huge'; readonly bytes: number }
  /** An HTML page, with status 200. */
  | { readonly kind: 'html' }
  /** Status 200 and an empty body. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'wrong-id' }
  | { readonly kind: 'result-and-error' }
  | { readonly kind: 'neither' }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }
  /** The responses of a batch in reverse order. */
  | { readonly kind: 'out-of-order' }
  /** One response of a batch is missing. */
  | { readonly kind: 'short-batch' }
  /** One error for a whole batch. */
  | { readonly kind: 'single-for-batch' }
  | { readonly kind: 'invalid-utf8' }
  /** `NaN` as the result, which is not JSON. */
  | { readonly kind: 'nan' }

export interface RpcRequest {
  readonly id?: unknown
  readonly method?: string
  readonly params?: readonly unknown[]
}

export interface JsonRpcReply {
  readonly jsonrpc: string
  readonly id: unknown
  readonly result?: unknown
  readonly error?: object
}

const CHAIN_METHODS: Readonly<Record<string, (id: number) => string>> = {
  eth_chainId: (id: number) => `0x${id.toString(16)}`,
  net_version: String,
}

/** The response to one request, changed by a fault. */
export function corrupt(fault: Fault, response: JsonRpcReply, method = ''): JsonRpcReply {
  const { jsonrpc, id, result } = response
  switch (fault.kind) {
    case 'wrong-chain': {
      const format = CHAIN_METHODS[method]
      return format ? { jsonrpc, id, result: format(fault.chainId) } : response
    }
    case 'null':
      return { jsonrpc, id, result: null }
    case 'lie':
      return { jsonrpc, id, result: fault.result }
    case 'huge':
      return { jsonrpc, id, result: `0x${'0'.repeat(fault.bytes)}` }
    case 'wrong-id':
      return { ...response, id: 'not-yours' }
    case 'result-and-error':
      return { jsonrpc, id, result: result ?? '0x1', error: { code: -32_000, message: 'both' } }
    case 'neither':
      return { jsonrpc, id }
    case 'error':
      return { jsonrpc, id, error: { code: fault.code, message: fault.message, ...(fault.data !== undefined && { data: fault.data }) } }
    default:
      return response
  }
}

/** The responses to a batch, changed as a whole by a fault. */
export function corruptBatch({ kind }: Fault, responses: readonly JsonRpcReply[]): unknown {
  if (kind === 'out-of-order') return responses.toReversed()
  if (kind === 'short-batch') return responses.slice(1)
  if (kind === 'single-for-batch') return { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batches are not supported' } }
  return responses
}

/** The text of a response, changed by a fault. */
export function corruptText({ kind }: Fault, text: string): Buffer {
  if (kind === 'html') return Buffer.from('<html><body><h1>Welcome</h1></body></html>')
  if (kind === 'empty') return Buffer.of()
  if (kind === 'nan') return Buffer.from(text.replace(/"(?:result|error)":.*/s, '"result":NaN}'))
  if (kind === 'truncated') return Buffer.from(text.slice(0, text.length / 2))
  // A byte that begins no character.
  if (kind === 'invalid-utf8')
    return Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"result":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}')])
  return Buffer.from(text)
}
