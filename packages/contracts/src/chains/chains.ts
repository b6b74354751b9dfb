import { BITCOIN_FAMILY, type BitcoinChainName } from './bitcoin-family.js'
import type { BitcoinChain, BitcoinNetworkName, BitcoinRecord, ChainFamily, EvmChain, EvmRecord, ServedChain } from './chain.js'
import { EVM_FAMILY } from './evm.js'

/** The app that serves the chains of a family, and the first of their ports in development. */
export const CHAIN_FAMILIES = {
  bitcoin: { app: 'btc-connect', firstPort: 4010 },
  evm: { app: 'eth-rpc', firstPort: 4020 },
} as const satisfies Record<ChainFamily, object>

const bitcoin = Object.entries<BitcoinRecord>(BITCOIN_FAMILY).map(
  ([name, record], place): BitcoinChain => ({
    ...record,
    name,
    family: 'bitcoin',
    network: 'mainnet',
    port: CHAIN_FAMILIES.bitcoin.firstPort + place,
  }),
)
const evm = Object.entries<EvmRecord>(EVM_FAMILY).map(
  ([name, record], place): EvmChain => ({ ...record, name, family: 'evm', port: CHAIN_FAMILIES.evm.firstPort + place }),
)

/** Every chain that there is a record of. */
export const CHAINS: readonly ServedChain[] = [...bitcoin, ...evm]

type UsualIn<Family> = { [Name in keyof Family]: Family[Name] extends { isDefault: true } ? Name : never }[keyof Family]
export type DefaultBitcoinName = UsualIn<typeof BITCOIN_FAMILY>
export type DefaultEvmName = UsualIn<typeof EVM_FAMILY>

/** What a platform serves unless it is told otherwise. */
export const DEFAULT_CHAINS: readonly string[] = CHAINS.filter(({ isDefault }) => isDefault).map(({ name }) => name)

export const BITCOIN_CHAIN_NAMES = Object.keys(BITCOIN_FAMILY) as readonly BitcoinChainName[]

/** What a chain may be called: it is a base path, a schema and the beginning of variables. */
export const CHAIN_NAME = /^[a-z][a-z0-9-]{0,30}$/

/** The unit of a chain's amounts, also of one that has no record here. */
export function unitOf(name: string): string {
  return chainNamed(name)?.unit ?? name.toUpperCase()
}

export function chainNamed(name: string): ServedChain | undefined {
  return CHAINS.find((chain) => chain.name === name)
}

/** The same chain on another of its networks: by its name, or by its chain id; undefined where it has none such. */
export function onNetwork(chain: ServedChain, network: string): ServedChain | undefined {
  if (chain.family === 'bitcoin') return isNetworkOf(chain, network) ? { ...chain, network } : undefined
  const chainId = /^[1-9]\d{0,14}$/.test(network) ? Number(network) : undefined
  if (chainId === undefined) return network === chain.network ? chain : undefined
  return chainId === chain.chainId ? chain : { ...chain, chainId, networkId: chainId, network: networkOfId(chainId) }
}

/** The chain that the nodes area makes nodes of by this name. */
export function chainOfImage(image: string): ServedChain | undefined {
  return CHAINS.find(({ nodes }) => nodes?.images.includes(image))
}

/** How far behind others a node may be and still be up to date. */
export function maxLagOf(image: string): number {
  return chainOfImage(image)?.nodes?.maxLagBlocks ?? 0
}

/** What people call a kind of node. */
export function titleOfImage(image: string): string {
  const chain = chainOfImage(image)
  if (!chain) return image
  return chain.nodes?.images[0] === image ? chain.title : `${chain.title} testnet`
}

function isNetworkOf({ networks }: BitcoinChain, name: string): name is BitcoinNetworkName {
  return Object.hasOwn(networks, name)
}

function networkOfId(id: number): EvmChain['network'] {
  return evm.find(({ chainId }) => chainId === id)?.network ?? 'private'
}
