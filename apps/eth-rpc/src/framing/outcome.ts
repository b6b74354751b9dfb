import type { RpcErrorObject } from './rpc-error.js'

/** The outcome of a call: the JSON of its `result` or `error`, as it was received. */
export interface CallOutcome {
  readonly member: 'result' | 'error'
  readonly json: Buffer
  /** From the cache. */
  readonly cached?: true
  /** The upstreams that gave it. Left out where it is ours, or several agreed. */
  readonly by?: readonly string[]
  /** Something speaks against it, and no upstream had anything better: it is not kept. */
  readonly doubtful?: true
}

export function resultOf(value: unknown): CallOutcome {
  return { member: 'result', json: Buffer.from(JSON.stringify(value)) }
}

export function errorOf(error: RpcErrorObject): CallOutcome {
  return { member: 'error', json: Buffer.from(JSON.stringify(error)) }
}
