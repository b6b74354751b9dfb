import { accounts } from '@trestle/contracts/accounts/api'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { nodesArea } from '@trestle/contracts/nodes/api'
import { staking } from '@trestle/contracts/staking/api'
import { type Calls, type ConnectionOptions, callsOf, connectionTo, PACING } from './area.js'
import type { Connection, Credentials, Terms } from './connection.js'
import { type EthereumProject, type EthereumProvider, ethereumProvider } from './ethereum-provider.js'
import { type NodeCall, nodeRpc } from './node-rpc.js'

interface Ethereum {
  /** For viem's `custom` and ethers' `BrowserProvider`: JSON-RPC of one project, with a token where that requires one. */
  provider(project: EthereumProject, terms?: Pick<Terms, 'token' | 'signal'>): EthereumProvider
}

interface Nodes {
  /** JSON-RPC of a node or a cluster: the result, or a thrown `RpcError`. */
  rpc(call: NodeCall): Promise<unknown>
}

export interface Trestle {
  readonly accounts: Calls<typeof accounts>
  readonly btc: Calls<typeof btcConnect>
  readonly bch: Calls<typeof btcConnect>
  readonly ltc: Calls<typeof btcConnect>
  readonly eth: Calls<typeof ethRpc> & Ethereum
  readonly etc: Calls<typeof ethRpc> & Ethereum
  readonly staking: Calls<typeof staking>
  readonly nodes: Calls<typeof nodesArea> & Nodes
  /** The same platform, for whoever holds this token. */
  with(credentials: Required<Pick<Credentials, 'token'>>): Trestle
}

export type TrestleOptions = ConnectionOptions

/** A typed client of the public API. */
export function createTrestle(options: TrestleOptions, pacing = PACING): Trestle {
  const to = (name: string) => connectionTo(name, options, pacing)
  return {
    accounts: callsOf(accounts, to('accounts')),
    btc: callsOf(btcConnect, to('btc')),
    bch: callsOf(btcConnect, to('bch')),
    ltc: callsOf(btcConnect, to('ltc')),
    eth: ethereum(to('eth')),
    etc: ethereum(to('etc')),
    staking: callsOf(staking, to('staking')),
    nodes: { ...callsOf(nodesArea, to('nodes')), rpc: (call) => nodeRpc(to('nodes'), call) },
    with: (credentials) => createTrestle({ ...options, ...credentials }, pacing),
  }
}

function ethereum(connection: Connection): Calls<typeof ethRpc> & Ethereum {
  return { ...callsOf(ethRpc, connection), provider: (project, terms = {}) => ethereumProvider(connection, project, terms) }
}
