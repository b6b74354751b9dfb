import type { RpcError } from './rpc-error.js'

/** What a call came to: the JSON of its `result` or `error`, as it was received. */
export interface Outcome {
  readonly member: 'result' | 'error'
  readonly json: Buffer
  /** Nobody was asked for it. */
  readonly cached?: true
}

export function resultOf(value: unknown): Outcome {
  return { member: 'result', json: Buffer.from(JSON.stringify(value)) }
}

export function errorOf(error: RpcError): Outcome {
  return { member: 'error', json: Buffer.from(JSON.stringify(error)) }
}
