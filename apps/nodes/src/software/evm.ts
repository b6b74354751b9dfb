import { join } from 'node:path'
import type { Blueprint } from '../catalogue/blueprint.js'
import type { Place } from './place.js'

const CHAIN_IDS: Partial<Record<Blueprint['chain'], number>> = { eth: 1337, etc: 61 }
/** States of up to a megabyte each, in memory: older ones are forgotten, and nothing else bounds what anvil keeps. */
const STATES_KEPT = 100

/**
 * anvil writes its chain when it is asked to stop, and every ten seconds: one that is killed has lost what came since.
 * It knows no passwords: whoever reaches its port may do anything with it.
 */
export function anvilArgs({ chain }: Blueprint, { dataDir, host, rpcPort }: Place): string[] {
  const settings = {
    host,
    port: rpcPort,
    'chain-id': CHAIN_IDS[chain],
    state: anvilState(dataDir),
    'state-interval': 10,
    'prune-history': STATES_KEPT,
    'cache-path': join(dataDir, 'cache'),
  }
  // A page in somebody's browser is not to reach what has no password.
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

/** geth knows no passwords either, and it is told of those namespaces only that can do no harm. */
export function gethArgs(blueprint: Blueprint, { dataDir, host, rpcPort, p2pPort, engineSecretFile }: Place): string[] {
  const { chain, network, memoryMiB } = blueprint
  const settings = {
    datadir: dataDir,
    'http.addr': host,
    'http.port': rpcPort,
    'http.api': 'eth,net,web3',
    // Names of hosts: it is called by whatever name the gateway finds it under.
    'http.vhosts': '*',
    'authrpc.addr': host,
    'authrpc.jwtsecret': engineSecretFile,
    'authrpc.vhosts': engineSecretFile && '*',
    port: p2pPort,
    cache: Math.round(memoryMiB / 4),
  }
  const alone = p2pPort === undefined ? ['--nodiscover', '--maxpeers=0', '--port=0'] : []
  return [...(GETH_NETWORKS[`${chain}/${network}`] ?? []), '--http', '--ipcdisable', ...alone, ...flags(settings)]
}

function flags(settings: Record<string, string | number | undefined>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
}
