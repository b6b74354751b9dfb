import { keccak_256 } from '@noble/hashes/sha3.js'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { invalidParams, type RpcFailure, unavailable } from '../framing/rpc-error.js'
import type { FollowedChain } from '../heads/followed-chain.js'
import { toQuantity } from './block-reference.js'
import { bytesFault } from './hex-faults.js'
import { checkParamCount, type RpcMethod } from './method.js'

/** What the gateway's own answers need. */
export interface OwnState {
  readonly chain: Pick<FollowedChain, 'head'>
  readonly chainId: number
  readonly networkId: number
  /** The answer to `web3_clientVersion`. */
  readonly version: string
  /** The answer to `rpc.discover`. */
  readonly openRpc: object
  /** How many nodes serve: the peers of the gateway. */
  readonly peers: number
  /** The answer to `eth_syncing`; throws where nobody knows. */
  syncing(): unknown
}

const answers = new Map<string, (state: OwnState) => unknown>([
  ['eth_chainId', ({ chainId }) => toQuantity(chainId)],
  ['net_version', ({ networkId }) => String(networkId)],
  ['net_listening', () => true],
  ['net_peerCount', ({ peers }) => toQuantity(peers)],
  ['web3_clientVersion', ({ version }) => version],
  ['rpc.discover', ({ openRpc }) => openRpc],
  ['eth_blockNumber', ({ chain }) => headOf(chain)],
  ['eth_syncing', (state) => state.syncing()],
  ['eth_accounts', () => []],
  // eth/68, which the nodes of both chains speak among themselves.
  ['eth_protocolVersion', () => '0x44'],
])

// Hashing blocks the process: 64 KiB for some milliseconds.
const MAX_HASHED_BYTES = 65_536

/** The gateway's own answer. Throws -32602 where the params are wrong. */
export function answerOf(method: RpcMethod, params: readonly unknown[], state: OwnState): CallOutcome {
  checkParamCount(method, params)
  if (method.name === 'web3_sha3') return resultOf(hashed(params))
  const answer = answers.get(method.name)
  if (!answer) throw new Error(`${method.name} is not answered here.`)
  return resultOf(answer(state))
}

function headOf({ head }: Pick<FollowedChain, 'head'>): string {
  if (!head) throw unavailable('no block is known yet')
  return toQuantity(head.number)
}

function hashed([bytes]: readonly unknown[]): string {
  if (bytes === undefined) throw invalidParams('missing value for required argument 0')
  if (typeof bytes !== 'string') throw notBytes('non-string')
  if (bytes.length > 2 + 2 * MAX_HASHED_BYTES) throw invalidParams(`invalid argument 0: more than ${MAX_HASHED_BYTES} bytes`)
  const fault = bytesFault(bytes)
  if (fault !== undefined) throw notBytes(fault)
  return `0x${Buffer.from(keccak_256(Buffer.from(bytes.slice(2), 'hex'))).toString('hex')}`
}

/** In geth's words. */
function notBytes(what: string): RpcFailure {
  return invalidParams(`invalid argument 0: json: cannot unmarshal ${what} into Go value of type hexutil.Bytes`)
}
