import { createHmac } from 'node:crypto'
import type { Blueprint } from '../catalogue/blueprint.js'
import { isPrivateChain, MACHINE_USER, type ProgramSetup } from './program-setup.js'

type Settings = Record<string, string | number>

/** The option of each network, and its section in the configuration file. */
const NETWORKS: Record<string, { readonly flag: string; readonly section: string }> = {
  testnet: { flag: 'testnet', section: 'test' },
  testnet4: { flag: 'testnet4', section: 'testnet4' },
  chipnet: { flag: 'chipnet', section: 'chip' },
  regtest: { flag: 'regtest', section: 'regtest' },
}

// MWEB activates at block 432 and then requires a peg-in transaction; on a new regtest chain there is none, and no block could follow 431.
const NO_EXTENSION_BLOCKS: Settings = { vbparams: 'mweb:9999999999:9999999999' }
// It does not stop before its last connection is closed, idle or not. undici closes idle ones after 4 s.
const SHORT_TIMEOUT: Settings = { rpcservertimeout: 5 }
const A_CENTURY_IN_SECONDS = 3_155_760_000
const MIN_CACHES: Settings = { dbcache: 4, maxmempool: 5, par: 1, rpcthreads: 2 }

export function bitcoinArgs(_blueprint: Blueprint, { dataDir, configFile }: ProgramSetup): string[] {
  return [`-datadir=${dataDir}`, `-conf=${configFile}`]
}

export function bitcoinConfig(blueprint: Blueprint, place: ProgramSetup, password: string): string {
  const network = NETWORKS[blueprint.network]
  const global: Settings = {
    ...(network && { [network.flag]: 1 }),
    server: 1,
    rest: 1,
    txindex: 1,
    disablewallet: 1,
    // stdout is the log that we keep and rotate.
    printtoconsole: 1,
    debuglogfile: 0,
    rpcauth: rpcauth(password),
    rpcworkqueue: 128,
    ...(isPrivateChain(blueprint) ? privateChain(blueprint) : { dbcache: cacheMiB(blueprint) }),
  }
  // These apply in the section of their network only.
  const ofNetwork: Settings = {
    rpcbind: place.host,
    rpcport: place.rpcPort,
    ...peers(blueprint, place),
  }
  const allowed = place.host === '127.0.0.1' ? ['127.0.0.1'] : ['0.0.0.0/0', '::/0']
  const reachable = allowed.map((range) => `rpcallowip=${range}`)
  return [...lines(global), ...reachable, `[${network?.section ?? 'main'}]`, ...lines(ofNetwork), ''].join('\n')
}

/** `user:salt$HMAC-SHA256(salt, password)`. The salt is derived from the password, which is random, so that the file is always the same. */
export function rpcauth(password: string): string {
  const salt = createHmac('sha256', password).update('salt').digest('hex').slice(0, 32)
  return `${MACHINE_USER}:${salt}$${createHmac('sha256', salt).update(password).digest('hex')}`
}

function privateChain({ daemon }: Blueprint): Settings {
  // Otherwise a chain without a block for a day counts as not synced.
  const anyTipAge: Settings = { maxtipage: A_CENTURY_IN_SECONDS }
  const isolated: Settings = { dnsseed: 0, discover: 0, listenonion: 0 }
  return {
    ...MIN_CACHES,
    ...anyTipAge,
    ...isolated,
    ...(daemon === 'litecoind' && NO_EXTENSION_BLOCKS),
    ...(daemon !== 'bitcoind' && SHORT_TIMEOUT),
  }
}

function peers(blueprint: Blueprint, { host, p2pPort }: ProgramSetup): Settings {
  if (p2pPort === undefined) return { listen: 0 }
  if (!isPrivateChain(blueprint)) return { listen: 1, port: p2pPort }
  // `connect=0`: no automatic peers; the machines of a cluster are connected by the probe.
  return { listen: 1, bind: `${host}:${p2pPort}`, connect: 0 }
}

/** A quarter of 4 GiB, half of 16: with more memory, more of it is free for the cache. */
function cacheMiB({ memoryMiB }: Blueprint): number {
  return Math.round(memoryMiB / (memoryMiB > 8192 ? 2 : 4))
}

function lines(settings: Settings): string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`)
}
