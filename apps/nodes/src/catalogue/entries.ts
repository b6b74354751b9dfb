import type { Image } from '@trestle/contracts/nodes/shapes'
import type { DaemonName } from './blueprint.js'

// The built-in catalogue. Sizes: the chain's own assumptions (chainparams of Core 31, EIP-7870 for eth) and a year of growth.
// The operator pins the digests of images (CATALOGUE_FILE), for this project builds none.

interface MachineSize {
  readonly cpus: number
  readonly memoryMiB: number
  readonly diskGiB: number
  readonly instanceType: string
}

export interface CatalogueEntry {
  readonly chain: Image
  readonly network: string
  readonly daemon: DaemonName
  readonly name: string
  readonly version: string
  readonly port: number
  readonly image?: string
  readonly standard: MachineSize
  readonly large: MachineSize
}

export const VERIFIED_AT = '2026-11-21'

const small = { standard: size(1, 256, 2, 'process'), large: size(2, 1024, 10, 'process') }
const testnet = { standard: size(1, 2048, 100, 't3.small'), large: size(2, 4096, 200, 't3.medium') }

/** For the local driver: private chains for development. */
export const LOCAL_ENTRIES: readonly CatalogueEntry[] = [
  { chain: 'btc', network: 'regtest', daemon: 'bitcoind', name: 'bitcoin', version: '29.4', port: 18443, ...small },
  { chain: 'btctestnet', network: 'regtest', daemon: 'bitcoind', name: 'bitcoin', version: '29.4', port: 18443, ...small },
  { chain: 'bch', network: 'regtest', daemon: 'bitcoin-cash-node', name: 'bchn', version: '29.0', port: 18443, ...small },
  { chain: 'bchtestnet', network: 'regtest', daemon: 'bitcoin-cash-node', name: 'bchn', version: '29.0', port: 18443, ...small },
  { chain: 'ltc', network: 'regtest', daemon: 'litecoind', name: 'litecoin', version: '0.21', port: 19443, ...small },
  { chain: 'ltctestnet', network: 'regtest', daemon: 'litecoind', name: 'litecoin', version: '0.21', port: 19443, ...small },
  { chain: 'eth', network: 'dev', daemon: 'anvil', name: 'anvil', version: '1.7', port: 8545, ...small },
  { chain: 'etc', network: 'dev', daemon: 'anvil', name: 'anvil', version: '1.7', port: 8545, ...small },
]

/** For the other drivers: public networks. */
export const PUBLIC_ENTRIES: readonly CatalogueEntry[] = [
  {
    chain: 'btc',
    network: 'mainnet',
    daemon: 'bitcoind',
    name: 'core',
    version: '31.0',
    port: 8332,
    image: 'bitcoin/bitcoin:31.0',
    standard: size(2, 4096, 1229, 'm6i.large'),
    large: size(8, 16_384, 2048, 'm6i.2xlarge'),
  },
  // testnet3 will be removed from Core.
  {
    chain: 'btctestnet',
    network: 'testnet4',
    daemon: 'bitcoind',
    name: 'core',
    version: '31.0',
    port: 48332,
    image: 'bitcoin/bitcoin:31.0',
    ...testnet,
  },
  {
    chain: 'bch',
    network: 'mainnet',
    daemon: 'bitcoin-cash-node',
    name: 'bchn',
    version: '29.0.0',
    port: 8332,
    image: 'zquestz/bitcoin-cash-node:29.0.0',
    standard: size(2, 4096, 500, 'm6i.large'),
    large: size(4, 16_384, 1024, 'm6i.xlarge'),
  },
  {
    chain: 'bchtestnet',
    network: 'testnet4',
    daemon: 'bitcoin-cash-node',
    name: 'bchn',
    version: '29.0.0',
    port: 28332,
    image: 'zquestz/bitcoin-cash-node:29.0.0',
    ...testnet,
  },
  {
    chain: 'ltc',
    network: 'mainnet',
    daemon: 'litecoind',
    name: 'litecoin',
    version: '0.21.5.6',
    port: 9332,
    standard: size(2, 4096, 300, 'm6i.large'),
    large: size(4, 8192, 500, 'm6i.xlarge'),
  },
  { chain: 'ltctestnet', network: 'testnet', daemon: 'litecoind', name: 'litecoin', version: '0.21.5.6', port: 19332, ...testnet },
  {
    chain: 'eth',
    network: 'mainnet',
    daemon: 'geth',
    name: 'geth',
    version: '1.17.7',
    port: 8545,
    image: 'ethereum/client-go:v1.17.7',
    standard: size(4, 16_384, 2048, 'm6i.xlarge'),
    large: size(8, 32_768, 4096, 'm6i.2xlarge'),
  },
  {
    chain: 'etc',
    network: 'mainnet',
    daemon: 'core-geth',
    name: 'core-geth',
    version: '1.12.20',
    port: 8545,
    image: 'etclabscore/core-geth:version-1.12.20',
    standard: size(2, 8192, 500, 'm6i.large'),
    large: size(4, 16_384, 1024, 'm6i.xlarge'),
  },
]

function size(cpus: number, memoryMiB: number, diskGiB: number, instanceType: string): MachineSize {
  return { cpus, memoryMiB, diskGiB, instanceType }
}
