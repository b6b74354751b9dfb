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
  /** Nobody else has its bytes: once they are sent, their memory is given back. */
  readonly releasable?: true
}

/** Smaller ones may share their memory with others. */
export const MIN_RELEASED_BYTES = 32 * 1024

/** The same for several, none of whom is the last to need it. */
export function shared(outcome: CallOutcome): CallOutcome {
  return outcome.releasable ? { ...outcome, releasable: undefined } : outcome
}

export function resultOf(value: unknown): CallOutcome {
  return { member: 'result', json: Buffer.from(JSON.stringify(value)) }
}

export function errorOf(error: RpcErrorObject): CallOutcome {
  return { member: 'error', json: Buffer.from(JSON.stringify(error)) }
}
