import { BITCOIN_FAMILY, type BitcoinChainName } from '@trestle/contracts/chains/bitcoin-family'
import type { BitcoinFormat, BitcoinNetwork, BitcoinNetworkName, BitcoinRecord } from '@trestle/contracts/chains/chain'

export type Coin = BitcoinChainName
export type Network = BitcoinNetworkName

/** What tells one chain from another: everything the parsers, the address forms and the indexer ask about a network. */
export interface ChainRules extends BitcoinNetwork {
  readonly coin: Coin
  readonly network: Network
}

const RECORDS: Readonly<Record<Coin, BitcoinRecord>> = BITCOIN_FAMILY

export function chainRules(coin: Coin, network: Network): ChainRules {
  const own = RECORDS[coin].networks[network]
  if (!own) throw new Error(`${coin} has no ${network}.`)
  return { coin, network, ...own }
}

/** How a chain's blocks, transactions and scripts are written. */
export function formatOf(coin: Coin): BitcoinFormat {
  return RECORDS[coin].format
}

/** Every network of every chain: an address may be of any. */
export const NETWORKS: readonly BitcoinNetwork[] = Object.values(RECORDS).flatMap(({ networks }) => Object.values(networks))
