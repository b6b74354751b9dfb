import { accounts } from '@trestle/contracts/accounts/api'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import { chainNamed, DEFAULT_CHAINS, type DefaultBitcoinName, type DefaultEvmName } from '@trestle/contracts/chains/chains'
import { chainDiscovery } from '@trestle/contracts/chains/discovery'
import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { nodesArea } from '@trestle/contracts/nodes/api'
import { staking } from '@trestle/contracts/staking/api'
import { type Calls, type ConnectionOptions, callsOf, connectionTo, DEFAULT_PACING } from './area.js'
import type { Connection } from './connection.js'
import { type EthereumProject, type EthereumProvider, ethereumProvider, type ProviderTerms } from './ethereum-provider.js'
import { type NodeCall, nodeRpc } from './node-rpc.js'

interface Ethereum {
  /** For viem's `custom` and ethers' `BrowserProvider`: JSON-RPC of one project, with a token if it requires one. */
  provider(project: EthereumProject, terms?: ProviderTerms): EthereumProvider
}

interface Nodes {
  /** JSON-RPC of a node or a cluster: the result, or a thrown `RpcError`. */
  rpc(call: NodeCall): Promise<unknown>
}

/** One chain of the Bitcoin family. */
type UtxoChain = Calls<typeof btcConnect>
/** One chain of the Ethereum family. */
type EvmGateway = Calls<typeof ethRpc> & Ethereum

type DefaultChains = { readonly [Name in DefaultBitcoinName]: UtxoChain } & { readonly [Name in DefaultEvmName]: EvmGateway }

export interface Trestle extends DefaultChains {
  readonly accounts: Calls<typeof accounts>
  /** The chains that this platform serves. */
  readonly chains: Calls<typeof chainDiscovery>
  /** A chain of the Bitcoin family by its name; `chains.list()` has the names. */
  utxo(chain: string): UtxoChain
  /** A chain of the Ethereum family by its name. */
  evm(chain: string): EvmGateway
  readonly staking: Calls<typeof staking>
  readonly nodes: Calls<typeof nodesArea> & Nodes
  /** The same platform, with these credentials, or about this organization. */
  with(options: Pick<ConnectionOptions, 'token' | 'organization'>): Trestle
}

export type TrestleOptions = ConnectionOptions

/** A typed client of the public API. */
export function createTrestle(options: TrestleOptions, pacing = DEFAULT_PACING): Trestle {
  const to = (name: string) => connectionTo(name, options, pacing)
  const utxo = (chain: string) => callsOf(btcConnect, to(chain))
  const evm = (chain: string) => ethereum(to(chain))
  const usual = DEFAULT_CHAINS.map((name) => [name, chainNamed(name)?.family === 'bitcoin' ? utxo(name) : evm(name)])
  return {
    ...(Object.fromEntries(usual) as DefaultChains),
    accounts: callsOf(accounts, to('accounts')),
    chains: callsOf(chainDiscovery, to('')),
    utxo,
    evm,
    staking: callsOf(staking, to('staking')),
    nodes: { ...callsOf(nodesArea, to('nodes')), rpc: (call) => nodeRpc(to('nodes'), call) },
    with: (other) => createTrestle({ ...options, ...other }, pacing),
  }
}

function ethereum(connection: Connection): EvmGateway {
  return { ...callsOf(ethRpc, connection), provider: (project, terms = {}) => ethereumProvider(connection, project, terms) }
}
