import { keccak_256 } from '@noble/hashes/sha3.js'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { invalidParams, unavailable } from '../framing/rpc-error.js'
import type { FollowedChain } from '../heads/followed-chain.js'
import { toQuantity } from './block-reference.js'
import type { RpcMethod } from './method.js'

/** What the gateway's own answers need. */
export interface OwnState {
  readonly chain: Pick<FollowedChain, 'head'>
  readonly chainId: number
  readonly networkId: number
  /** The answer to `web3_clientVersion`. */
  readonly version: string
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
  ['eth_blockNumber', ({ chain }) => headOf(chain)],
  ['eth_syncing', (state) => state.syncing()],
  ['eth_accounts', () => []],
  // No key and no mining here; the specification wants an address all the same.
  ['eth_coinbase', () => `0x${'0'.repeat(40)}`],
  ['eth_mining', () => false],
  ['eth_hashrate', () => '0x0'],
  // eth/68, which the nodes of both chains speak among themselves.
  ['eth_protocolVersion', () => '0x44'],
])

// Hashing blocks the process: 64 KiB for some milliseconds.
const MAX_HASHED_BYTES = 65_536
const BYTES = /^0x(?:[0-9a-fA-F]{2})*$/

/** The gateway's own answer. Throws -32602 where the params are wrong. */
export function answerOf(method: RpcMethod, params: readonly unknown[], state: OwnState): CallOutcome {
  if (method.name === 'web3_sha3') return resultOf(hashed(params))
  const answer = answers.get(method.name)
  if (!answer) throw new Error(`${method.name} is not answered here.`)
  if (params.length > 0) throw invalidParams('too many arguments, want at most 0')
  return resultOf(answer(state))
}

function headOf({ head }: Pick<FollowedChain, 'head'>): string {
  if (!head) throw unavailable('no block is known yet')
  return toQuantity(head.number)
}

function hashed(params: readonly unknown[]): string {
  const [bytes] = params
  if (params.length === 0) throw invalidParams('missing value for required argument 0')
  if (params.length > 1) throw invalidParams('too many arguments, want at most 1')
  if (typeof bytes !== 'string') throw invalidParams('invalid argument 0: not a string')
  if (bytes.length > 2 + 2 * MAX_HASHED_BYTES) throw invalidParams(`invalid argument 0: more than ${MAX_HASHED_BYTES} bytes`)
  if (!BYTES.test(bytes)) throw invalidParams('invalid argument 0: not 0x and whole bytes in hexadecimal')
  return `0x${Buffer.from(keccak_256(Buffer.from(bytes.slice(2), 'hex'))).toString('hex')}`
}
