import { CHAINS, chainOfImage } from '@trestle/contracts/chains/chains'
import { IMAGES } from '@trestle/contracts/nodes/shapes'
import { messageOf } from '@trestle/problem/thrown'
import { findDaemon } from '../chains/daemon.js'
import { findAnvil } from '../ethereum/anvil.js'
import { namedProgram } from '../executable.js'

/** What nodes can be made of on this machine. */
export interface MachinePlan {
  /** By the variables that the service reads. */
  readonly programs: Readonly<Record<string, string>>
  readonly images: readonly string[]
  /** What a person should know. */
  readonly notes: readonly string[]
}

interface Source {
  readonly variable: string
  readonly images: readonly string[]
  /** Undefined: nobody expects it. */
  readonly find: () => Promise<string | undefined>
}

const SOURCES: readonly Source[] = [
  { variable: 'BITCOIND', images: imagesOf('bitcoind'), find: async () => (await findDaemon('bitcoind')).command },
  // Nobody packages it.
  {
    variable: 'BITCOIN_CASH_NODE',
    images: imagesOf('bitcoin-cash-node'),
    find: async () => namedProgram('BITCOIN_CASH_NODE', process.env),
  },
  { variable: 'LITECOIND', images: imagesOf('litecoind'), find: async () => (await findDaemon('litecoind')).command },
  { variable: 'ANVIL', images: IMAGES.filter((image) => chainOfImage(image)?.family === 'evm'), find: async () => findAnvil() },
]

function imagesOf(daemon: string): readonly string[] {
  return CHAINS.flatMap((chain) => (chain.family === 'bitcoin' && chain.daemon === daemon ? (chain.nodes?.images ?? []) : []))
}

/** Looks for the programs of nodes. One that cannot be had is left out, and a note says so. */
export async function planMachines(sources = SOURCES): Promise<MachinePlan> {
  const found = await Promise.all(sources.map(look))
  return {
    programs: Object.fromEntries(found.flatMap(({ program }) => (program ? [program] : []))),
    images: found.flatMap(({ images }) => images),
    notes: found.flatMap(({ note }) => note ?? []),
  }
}

interface Found {
  readonly program?: readonly [variable: string, command: string]
  readonly images: readonly string[]
  readonly note?: string
}

async function look({ variable, images, find }: Source): Promise<Found> {
  try {
    const command = await find()
    return command ? { program: [variable, command], images } : { images: [] }
  } catch (error) {
    return { images: [], note: `No nodes of ${images.join(' and ')} can be made. ${messageOf(error)}` }
  }
}
