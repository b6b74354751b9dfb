import { RPC_CODE, RpcFailure, unavailable } from '../framing/rpc-error.js'
import type { CallFailure } from './call-policy.js'

/** What the caller of a call that failed is answered. */
export const CALL_FAILURES: Readonly<Record<CallFailure, (error: unknown) => unknown>> = {
  unavailable: () => unavailable('no upstream can answer now'),
  timeout: () => unavailable('no upstream has answered in time', 504),
  'too-large': () => new RpcFailure({ code: RPC_CODE.limit, message: 'the answer is too large; ask for less at once' }),
  abandoned: () => unavailable('nobody waits for the answer'),
  crashed: (error) => error,
}
