/** One way in which a node goes wrong. */
export type Fault =
  /** Nobody listens any more, and all connections are gone. */
  | { readonly kind: 'dead' }
  /** Takes the question and never answers. */
  | { readonly kind: 'hanging' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** 429, also to a WebSocket that is to be opened. */
  | { readonly kind: 'rate-limited'; readonly retryAfter?: string }
  | { readonly kind: 'status'; readonly status: number; readonly body?: string }
  /** Half of the answer, and the connection is reset. */
  | { readonly kind: 'reset' }
  /** Half of the answer, and a clean end that says it was all. */
  | { readonly kind: 'truncated' }
  /** Chunks that never end. */
  | { readonly kind: 'endless' }
  /** It knows no block later than so many under the head of the moment when this was set, and tells of none. */
  | { readonly kind: 'stale'; readonly behind: number }
  | { readonly kind: 'wrong-chain'; readonly chainId: number }
  | { readonly kind: 'null' }
  /** A result of so many bytes. */
  | { readonly kind: 'huge'; readonly bytes: number }
  /** A page, with status 200. */
  | { readonly kind: 'html' }
  /** Status 200 and nothing. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'wrong-id' }
  | { readonly kind: 'result-and-error' }
  | { readonly kind: 'neither' }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }
  /** The answers of a batch the other way round. */
  | { readonly kind: 'out-of-order' }
  /** One answer of a batch is missing. */
  | { readonly kind: 'short-batch' }
  /** One error for a whole batch. */
  | { readonly kind: 'single-for-batch' }
  | { readonly kind: 'invalid-utf8' }
  /** `NaN` for a result, which is no JSON. */
  | { readonly kind: 'nan' }

export interface RpcRequest {
  readonly id?: unknown
  readonly method?: string
  readonly params?: readonly unknown[]
}

export interface RpcResponse {
  readonly jsonrpc: string
  readonly id: unknown
  readonly result?: unknown
  readonly error?: object
}

const CHAIN_METHODS = { eth_chainId: (id: number) => `0x${id.toString(16)}`, net_version: String }

/** What a fault makes of the answer to one call. */
export function corrupt(fault: Fault, answer: RpcResponse, method = ''): RpcResponse {
  const { jsonrpc, id, result } = answer
  switch (fault.kind) {
    case 'wrong-chain': {
      const told = CHAIN_METHODS[method as keyof typeof CHAIN_METHODS]
      return told ? { jsonrpc, id, result: told(fault.chainId) } : answer
    }
    case 'null':
      return { jsonrpc, id, result: null }
    case 'huge':
      return { jsonrpc, id, result: `0x${'0'.repeat(fault.bytes)}` }
    case 'wrong-id':
      return { ...answer, id: 'not-yours' }
    case 'result-and-error':
      return { jsonrpc, id, result: result ?? '0x1', error: { code: -32_000, message: 'both' } }
    case 'neither':
      return { jsonrpc, id }
    case 'error':
      return { jsonrpc, id, error: { code: fault.code, message: fault.message, ...(fault.data !== undefined && { data: fault.data }) } }
    default:
      return answer
  }
}

/** What a fault makes of the answers to a batch, beyond each of them. */
export function corruptBatch({ kind }: Fault, answers: readonly RpcResponse[]): unknown {
  if (kind === 'out-of-order') return answers.toReversed()
  if (kind === 'short-batch') return answers.slice(1)
  if (kind === 'single-for-batch') return { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batches are not served' } }
  return answers
}

/** What a fault makes of the text of an answer. */
export function corruptText({ kind }: Fault, text: string): Buffer {
  if (kind === 'html') return Buffer.from('<html><body><h1>Welcome</h1></body></html>')
  if (kind === 'empty') return Buffer.of()
  if (kind === 'nan') return Buffer.from(text.replace(/"(?:result|error)":.*/s, '"result":NaN}'))
  if (kind === 'truncated') return Buffer.from(text.slice(0, text.length / 2))
  // A byte that begins no character, within the first text there is.
  if (kind === 'invalid-utf8')
    return Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"result":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}')])
  return Buffer.from(text)
}
