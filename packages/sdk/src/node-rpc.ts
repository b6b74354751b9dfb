import type { EndpointSpec } from '@trestle/contracts/endpoint'
import type { CallOptions, Connection } from './connection.js'
import { type RpcCall, rpc } from './json-rpc.js'

/** A node or a cluster as in replies. */
interface CallableNode {
  id: string
  auth: { type: 'basic' | 'jwt' | 'none'; user?: string; pass?: string }
}

export interface NodeCall extends RpcCall, Pick<CallOptions, 'token' | 'signal'> {
  node: CallableNode
}

/** JSON-RPC of a node or a cluster, with its user and password or its owner's token. Never retried: a call may change something. */
export function nodeRpc(connection: Connection, { node, method, params, ...terms }: NodeCall): Promise<unknown> {
  const { type, user: username = '', pass: password = '' } = node.auth
  const endpoint: EndpointSpec = {
    method: 'POST',
    path: '/rpc/{id}',
    summary: 'JSON-RPC.',
    access: type === 'jwt' ? 'client' : 'public',
    status: 200,
  }
  const basic = type === 'basic' ? { username, password } : undefined
  return rpc(endpoint, connection, { method, params }, { ...terms, basic, params: { id: node.id } })
}
