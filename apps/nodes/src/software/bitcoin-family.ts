import { createHmac } from 'node:crypto'
import type { Blueprint } from '../catalogue/blueprint.js'
import { isOwnChain, MACHINE_USER, type Place } from './place.js'

type Settings = Record<string, string | number>

/** What switches a network on, and what its section of the file is called. */
const NETWORKS: Record<string, { readonly flag: string; readonly section: string }> = {
  testnet: { flag: 'testnet', section: 'test' },
  testnet4: { flag: 'testnet4', section: 'testnet4' },
  chipnet: { flag: 'chipnet', section: 'chip' },
  regtest: { flag: 'regtest', section: 'regtest' },
}

// The first block of Litecoin's extension blocks must have a transaction into them: on a chain that begins with its machines none is
// waiting at block 432, and there would be no block after 431.
const NO_EXTENSION_BLOCKS: Settings = { vbparams: 'mweb:9999999999:9999999999' }
// It does not stop before its last caller is gone, idle or not. undici lets go of idle connections after 4 s.
const IMPATIENT: Settings = { rpcservertimeout: 5 }
const A_CENTURY_IN_SECONDS = 3_155_760_000
const SMALLEST_CACHES: Settings = { dbcache: 4, maxmempool: 5, par: 1, rpcthreads: 2 }

export function bitcoinArgs(_blueprint: Blueprint, { dataDir, configFile }: Place): string[] {
  return [`-datadir=${dataDir}`, `-conf=${configFile}`]
}

export function bitcoinConfig(blueprint: Blueprint, place: Place, password: string): string {
  const network = NETWORKS[blueprint.network]
  const everywhere: Settings = {
    ...(network && { [network.flag]: 1 }),
    server: 1,
    rest: 1,
    txindex: 1,
    disablewallet: 1,
    // Its output is the log that is kept, and bounded.
    printtoconsole: 1,
    debuglogfile: 0,
    rpcauth: rpcauth(password),
    rpcworkqueue: 128,
    ...(isOwnChain(blueprint) ? ownChain(blueprint) : { dbcache: cacheMiB(blueprint) }),
  }
  // These count in the section of their network only; one without a section is the main one.
  const here: Settings = {
    rpcbind: place.host,
    rpcport: place.rpcPort,
    ...peers(blueprint, place),
  }
  const allowed = place.host === '127.0.0.1' ? ['127.0.0.1'] : ['0.0.0.0/0', '::/0']
  const reachable = allowed.map((range) => `rpcallowip=${range}`)
  return [...lines(everywhere), ...reachable, `[${network?.section ?? 'main'}]`, ...lines(here), ''].join('\n')
}

/** `user:salt$HMAC-SHA256(salt, password)`, as the program keeps passwords. The salt comes from the password, which is random: the same file each time. */
export function rpcauth(password: string): string {
  const salt = createHmac('sha256', password).update('salt').digest('hex').slice(0, 32)
  return `${MACHINE_USER}:${salt}$${createHmac('sha256', salt).update(password).digest('hex')}`
}

function ownChain({ daemon }: Blueprint): Settings {
  // A chain to which nobody added for a day counts as behind otherwise, and is not told to peers.
  const alwaysNew: Settings = { maxtipage: A_CENTURY_IN_SECONDS }
  const unknown: Settings = { dnsseed: 0, discover: 0, listenonion: 0 }
  return {
    ...SMALLEST_CACHES,
    ...alwaysNew,
    ...unknown,
    ...(daemon === 'litecoind' && NO_EXTENSION_BLOCKS),
    ...(daemon !== 'bitcoind' && IMPATIENT),
  }
}

function peers(blueprint: Blueprint, { host, p2pPort }: Place): Settings {
  if (p2pPort === undefined) return { listen: 0 }
  if (!isOwnChain(blueprint)) return { listen: 1, port: p2pPort }
  // `connect=0`: it looks for nobody; the machines of a cluster are told of each other.
  return { listen: 1, bind: `${host}:${p2pPort}`, connect: 0 }
}

/** The larger its memory, the more of it is of use as a cache: a quarter of 4 GiB, half of 16. */
function cacheMiB({ memoryMiB }: Blueprint): number {
  return Math.round(memoryMiB / (memoryMiB > 8192 ? 2 : 4))
}

function lines(settings: Settings): string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`)
}
