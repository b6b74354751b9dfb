import { isQuorumSize, QUORUM_HEADER, type QuorumSize, quorumSizeIn } from '@trestle/contracts/eth-rpc/quorum'
import { RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import type { RpcMethod } from '../methods/method.js'
import { QUORUM_METHOD_NAMES } from './quorum-methods.js'

/** Which calls several nodes are asked, and how many. */
export interface QuorumRule extends QuorumSize {
  readonly methods: ReadonlySet<string>
  /** The header may ask for another one, of as many nodes. */
  readonly byHeader: boolean
}

/** The quorum that a request asks for by its header, in place of the project's. Throws RpcFailure. */
export function quorumByHeader(header: string | readonly string[], allowed: QuorumRule | undefined): QuorumRule {
  const size = sizeIn(String(header))
  if (!allowed?.byHeader) throw forbidden(`the project does not allow the header ${QUORUM_HEADER}: its owner can`)
  if (size.nodes > allowed.nodes) throw forbidden(`the project allows a quorum of ${allowed.nodes} nodes at most`)
  return { ...size, methods: QUORUM_METHOD_NAMES, byHeader: true }
}

/** The quorum of a call; undefined where one node is enough. */
export function quorumOfCall(rule: QuorumRule, method: RpcMethod, params: readonly unknown[]): QuorumSize | undefined {
  return rule.methods.has(method.name) && !isPending(method, params) ? rule : undefined
}

/** Each node has a pending block of its own. */
function isPending({ blockParam }: RpcMethod, params: readonly unknown[]): boolean {
  const block = blockParam === undefined ? undefined : params[blockParam]
  if (typeof block !== 'object' || block === null) return block === PENDING
  return NAMES.some((name) => Reflect.get(block, name) === PENDING)
}

const PENDING = 'pending'
const NAMES = ['blockNumber', 'fromBlock', 'toBlock']

function sizeIn(header: string): QuorumSize {
  const size = quorumSizeIn(header)
  if (isQuorumSize(size)) return size
  const message = `the header ${QUORUM_HEADER} must be like 2/3: how many of how many nodes must agree, more than half of 2 to 7`
  throw new RpcFailure({ code: RPC_CODE.invalidRequest, message }, 400)
}

function forbidden(message: string): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.unauthorized, message }, 403)
}
