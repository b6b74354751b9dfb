import { RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import { methodNamed, type RpcMethod } from '../methods/method.js'
import { addressesIn } from './addresses-asked.js'
import type { LiveProject } from './live-project.js'
import { keepsCode } from './state-overrides.js'
import { isPlainTrace } from './tracer.js'

/** Refuses a call that the project does not allow: each call of a batch. Throws RpcFailure. */
export function checkCall({ methods, contracts }: LiveProject, method: RpcMethod, params: readonly unknown[]): void {
  if (methods && !methods(method.name)) throw forbidden(`the project does not allow ${method.name}`)
  if (!isPlainTrace(method.name, params)) throw forbidden("a tracer is one of the node's own, by its name, without timeout and reexec")
  if (!contracts) return
  if (!isOfEveryProject(method)) throw forbidden(`the project lists contracts, and ${method.name} reads those of others`)
  if (!keepsCode(method.name, params)) throw forbidden('the project lists contracts: state overrides may contain only balance and nonce')
  for (const address of addressesIn(method.name, params)) {
    if (typeof address !== 'string' || !contracts.has(address.toLowerCase())) throw forbidden('the project does not allow this contract')
  }
}

/** Of other namespaces nobody knows all the ways to name an account. */
function isOfEveryProject(method: RpcMethod): boolean {
  return methodNamed(method.name) === method
}

function forbidden(message: string): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.unauthorized, message }, 403)
}
