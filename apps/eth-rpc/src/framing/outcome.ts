import type { RpcErrorObject } from './rpc-error.js'

/** What a call came to: the JSON of its `result` or `error`, as it was received. */
export interface CallOutcome {
  readonly member: 'result' | 'error'
  readonly json: Buffer
  /** Nobody was asked for it. */
  readonly cached?: true
}

export function resultOf(value: unknown): CallOutcome {
  return { member: 'result', json: Buffer.from(JSON.stringify(value)) }
}

export function errorOf(error: RpcErrorObject): CallOutcome {
  return { member: 'error', json: Buffer.from(JSON.stringify(error)) }
}
