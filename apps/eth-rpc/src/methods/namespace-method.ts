import { METHOD_NAMESPACES, type MethodNamespace } from '@trestle/contracts/eth-rpc/projects'
import { methodNotFound, RPC_CODE, type RpcErrorObject } from '../framing/rpc-error.js'
import { RPC_METHODS, type RpcMethod } from './method.js'
import { NAMESPACE_TABLE } from './namespace-table.js'

const byName = new Map(NAMESPACE_TABLE.map((policy, i) => [policy.name, { ...policy, index: RPC_METHODS.length + i }]))

export const NAMESPACE_METHOD_NAMES: readonly string[] = [...byName.keys()]

/** The method, where its namespace is granted. */
export function grantedMethod(name: string, namespaces: ReadonlySet<string>): RpcMethod | undefined {
  const method = byName.get(name)
  return method && namespaces.has(method.namespace) ? method : undefined
}

const GRANTABLE: ReadonlySet<string> = new Set(METHOD_NAMESPACES)
const KEYS = new Set(['eth_sendTransaction', 'eth_sign', 'eth_signTransaction', 'eth_signTypedData', 'eth_signTypedData_v4', 'eth_resend'])
const OPERATORS = /^(admin|anvil|clique|engine|evm|hardhat|les|miner|testing)_[A-Za-z0-9]{1,50}$/
const PERSONAL = /^personal_[A-Za-z0-9]{1,50}$/

/** Why a method is not served. geth's words for one that nobody knows. */
export function refusedMethod(name: string): RpcErrorObject {
  const reason = reasonOf(name)
  return reason === undefined ? methodNotFound(name) : { code: RPC_CODE.methodNotFound, message: `the method ${name} ${reason}` }
}

function reasonOf(name: string): string | undefined {
  const namespace = byName.get(name)?.namespace
  if (namespace) return allowedBy(namespace)
  if (KEYS.has(name) || PERSONAL.test(name))
    return 'is not available: no node has keys of callers; sign the transaction, and send it with eth_sendRawTransaction'
  if (OPERATORS.test(name) || isOtherwiseGrantable(name)) return 'is not available: it is for the operator of a node alone'
  return undefined
}

function allowedBy(namespace: MethodNamespace): string {
  return `is not available to this project: administrators of this platform can grant its owner the namespace ${namespace}, which the owner then allows to the project`
}

/** Of these namespaces, and not among those that read. */
function isOtherwiseGrantable(name: string): boolean {
  return /^[a-z]+_[A-Za-z0-9]{1,50}$/.test(name) && GRANTABLE.has(name.slice(0, name.indexOf('_')))
}
