import { join } from 'node:path'
import type { Blueprint } from '../catalogue/blueprint.js'
import type { ProgramSetup } from './program-setup.js'

const CHAIN_IDS: Partial<Record<Blueprint['chain'], number>> = { eth: 1337, etc: 61 }
/** In memory, up to a megabyte each; nothing else limits what anvil keeps. */
const STATES_KEPT = 100

/**
 * anvil writes its chain when it is stopped, and every ten seconds: one that is killed loses what came since.
 * It has no authentication: whoever reaches its port may do anything with it.
 */
export function anvilArgs({ chain }: Blueprint, { dataDir, host, rpcPort }: ProgramSetup): string[] {
  const settings = {
    host,
    port: rpcPort,
    'chain-id': CHAIN_IDS[chain],
    state: anvilState(dataDir),
    'state-interval': 10,
    'prune-history': STATES_KEPT,
    'cache-path': join(dataDir, 'cache'),
  }
  // A page in a browser must not reach a node without authentication.
  return ['--no-cors', ...flags(settings)]
}

export function anvilState(dataDir: string): string {
  return join(dataDir, 'state.json')
}

const GETH_NETWORKS: Record<string, readonly string[]> = {
  'eth/mainnet': ['--mainnet'],
  'eth/sepolia': ['--sepolia'],
  'eth/hoodi': ['--hoodi'],
  'eth/dev': ['--dev'],
  'etc/mainnet': ['--classic'],
  'etc/mordor': ['--mordor'],
  'etc/dev': ['--dev'],
}

/** geth has no authentication either, so only harmless namespaces are enabled. */
export function gethArgs(blueprint: Blueprint, { dataDir, host, rpcPort, p2pPort, engineSecretFile }: ProgramSetup): string[] {
  const { chain, network, memoryMiB } = blueprint
  const settings = {
    datadir: dataDir,
    'http.addr': host,
    'http.port': rpcPort,
    'http.api': 'eth,net,web3',
    // The gateway may call it by any host name.
    'http.vhosts': '*',
    'authrpc.addr': host,
    'authrpc.jwtsecret': engineSecretFile,
    'authrpc.vhosts': engineSecretFile && '*',
    port: p2pPort,
    cache: Math.round(memoryMiB / 4),
  }
  const noPeers = p2pPort === undefined ? ['--nodiscover', '--maxpeers=0', '--port=0'] : []
  return [...(GETH_NETWORKS[`${chain}/${network}`] ?? []), '--http', '--ipcdisable', ...noPeers, ...flags(settings)]
}

function flags(settings: Record<string, string | number | undefined>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
}
