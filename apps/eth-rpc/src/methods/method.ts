import { invalidParams } from '../framing/rpc-error.js'
import { METHOD_TABLE, type MethodPolicy } from './method-table.js'

/** A method callers may use, and what the gateway knows of it. */
export interface RpcMethod extends MethodPolicy {
  /** Dense from 0: counters are arrays. */
  readonly index: number
}

export const RPC_METHODS: readonly RpcMethod[] = METHOD_TABLE.map((policy, index) => ({ ...policy, index }))

const byName = new Map(RPC_METHODS.flatMap((method) => [method.name, ...aliasesOf(method)].map((name) => [name, method] as const)))

/** Exactly that name; what is refused is as unknown as what does not exist. */
export function methodNamed(name: string): RpcMethod | undefined {
  return byName.get(name)
}

/** Throws -32602, in geth's words, where there are too many. */
export function checkParamCount({ maxParams }: RpcMethod, params: readonly unknown[]): void {
  if (maxParams !== undefined && params.length > maxParams) throw invalidParams(`too many arguments, want at most ${maxParams}`)
}

/** Some call the web3 namespace `web_`; no node knows that. */
function aliasesOf({ name }: MethodPolicy): string[] {
  return name.startsWith('web3_') ? [name.replace('web3_', 'web_')] : []
}
