import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import type { Blueprint, DaemonName } from '../catalogue/blueprint.js'
import { isPrivateChain, type ProgramSetup } from './program-setup.js'

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

/** Seconds: a gateway in front of a chain of its own is to hear that it lives. */
const DEV_PERIOD = 2

/** geth has no authentication either, so only harmless namespaces are enabled. HTTP and WebSocket share a port. */
export function gethArgs(blueprint: Blueprint, { dataDir, configFile, host, rpcPort, p2pPort, engineSecretFile }: ProgramSetup): string[] {
  const { chain, network, memoryMiB } = blueprint
  const isPrivate = isPrivateChain(blueprint)
  const settings = {
    datadir: dataDir,
    'http.addr': host,
    'http.port': rpcPort,
    'http.api': HARMLESS,
    // The gateway may call it by any host name.
    'http.vhosts': '*',
    'ws.addr': host,
    'ws.port': rpcPort,
    'ws.api': HARMLESS,
    'authrpc.addr': host,
    // Of several geths on one host; who has no consensus client needs none.
    'authrpc.port': isPrivate ? 0 : undefined,
    'authrpc.jwtsecret': engineSecretFile,
    'authrpc.vhosts': engineSecretFile && '*',
    'dev.period': isPrivate ? DEV_PERIOD : undefined,
    config: isPrivate ? configFile : undefined,
    port: isPrivate ? undefined : p2pPort,
    cache: Math.round(memoryMiB / 4),
  }
  const noPeers = p2pPort === undefined || isPrivate ? ['--nodiscover', '--maxpeers=0', '--port=0'] : []
  return [...(GETH_NETWORKS[`${chain}/${network}`] ?? []), '--http', '--ws', '--ipcdisable', ...noPeers, ...flags(settings)]
}

const HARMLESS = 'eth,net,web3'
const GETHS = new Set<DaemonName>(['geth', 'core-geth'])

/**
 * The path of its RPC. On a private chain, beside which other programs and users of the host live, geth's is a secret made of the
 * machine's password, as it asks for none.
 */
export function rpcPathOf(blueprint: Pick<Blueprint, 'daemon' | 'network'>, password: string): string {
  if (!GETHS.has(blueprint.daemon) || !isPrivateChain(blueprint)) return '/'
  return `/${createHmac('sha256', password).update('the path of the RPC').digest('hex')}`
}

/** Of a public network geth needs no file. */
export function gethConfig(blueprint: Blueprint, _place: ProgramSetup, password: string): string | undefined {
  const path = rpcPathOf(blueprint, password)
  return path === '/' ? undefined : `[Node]\nHTTPPathPrefix = "${path}"\nWSPathPrefix = "${path}"\n`
}

function flags(settings: Record<string, string | number | undefined>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
}
