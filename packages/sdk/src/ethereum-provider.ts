import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { QUORUM_HEADER, type QuorumSize } from '@trestle/contracts/eth-rpc/quorum'
import { Problem } from '@trestle/problem/problem'
import type { CallOptions, Connection } from './connection.js'
import { type RpcCall, RpcError, rpc } from './json-rpc.js'

/** What viem's `custom` and ethers' `BrowserProvider` take (EIP-1193). */
export interface EthereumProvider {
  /** The result, or a thrown `RpcError`. */
  request(call: RpcCall): Promise<unknown>
}

/** A project as in replies; without `requireToken` the id is enough. */
export interface EthereumProject {
  id: string
  requireToken?: boolean
}

export interface ProviderTerms extends Pick<CallOptions, 'token' | 'signal'> {
  /** So many of so many nodes must give the same answer; the project has to allow it (`byHeader`). */
  quorum?: QuorumSize
}

// Not retried: a transaction is refused the second time, and a filter reports its changes once.
const ONCE = new Set(['eth_sendRawTransaction', 'eth_getFilterChanges'])

// EIP-1193 and EIP-1474.
const UNAUTHORIZED = 4100
const DISCONNECTED = 4900
const UNAVAILABLE = -32002
const LIMIT = -32005
const INTERNAL = -32603
const CODES: Readonly<Record<string | number, number>> = {
  Unreachable: DISCONNECTED,
  InvalidReply: INTERNAL,
  401: UNAUTHORIZED,
  403: UNAUTHORIZED,
  429: LIMIT,
  502: UNAVAILABLE,
  503: UNAVAILABLE,
  504: UNAVAILABLE,
}

/** JSON-RPC of one project, with a token if the project requires one. */
export function ethereumProvider(
  connection: Connection,
  { id, requireToken }: EthereumProject,
  { quorum, ...terms }: ProviderTerms,
): EthereumProvider {
  const headers = quorum && { [QUORUM_HEADER]: `${quorum.agreeing}/${quorum.nodes}` }
  return {
    async request(call) {
      try {
        return await rpc(endpointOf(call, requireToken), connection, call, { ...terms, headers, params: { id } })
      } catch (error) {
        throw error instanceof Problem ? rpcErrorOf(error) : error
      }
    },
  }
}

function endpointOf({ method }: RpcCall, requireToken = false): EndpointSpec {
  return {
    method: 'POST',
    path: '/v1/{id}',
    summary: 'JSON-RPC.',
    access: requireToken ? 'client' : 'public',
    recording: ONCE.has(method) ? 'durable' : 'batched',
    status: 200,
  }
}

/** A failure outside JSON-RPC, as a JSON-RPC error. */
function rpcErrorOf(problem: Problem): RpcError {
  const { code, status, detail } = problem
  return new RpcError(CODES[code] ?? CODES[status] ?? INTERNAL, detail, problem.toJSON(), { cause: problem })
}
