import { isIPv6 } from 'node:net'
import { CODE, RpcFailure } from '../framing/rpc-error.js'
import type { Method } from '../methods/method.js'
import { addressesIn } from './addresses-asked.js'
import type { LiveProject } from './live-project.js'

/** Refuses a request by where it comes from: once a request, whatever it holds. Throws RpcFailure. */
export function checkRequest({ origins, ips }: LiveProject, from: { origin: string | undefined; address: string }): void {
  // Only browsers send it; whoever is none could send any.
  if (origins && from.origin !== undefined && !origins.has(from.origin)) throw forbidden('this origin may not use the project')
  if (ips && !ips.check(from.address, isIPv6(from.address) ? 'ipv6' : 'ipv4')) throw forbidden('this address may not use the project')
}

/** Refuses a call by what it asks for: each call of a batch. Throws RpcFailure. */
export function checkCall({ methods, contracts }: LiveProject, method: Method, params: readonly unknown[]): void {
  if (methods && !methods(method.name)) throw forbidden(`the project does not allow ${method.name}`)
  if (!contracts) return
  for (const address of addressesIn(method.name, params)) {
    if (typeof address !== 'string' || !contracts.has(address.toLowerCase())) throw forbidden('the project does not allow this contract')
  }
}

function forbidden(message: string): RpcFailure {
  return new RpcFailure({ code: CODE.unauthorized, message }, 403)
}
