import type { Deployment } from '@trestle/contracts/areas'
import { BITCOIN_FAMILY } from '@trestle/contracts/chains/bitcoin-family'
import type { BitcoinRecord } from '@trestle/contracts/chains/chain'
import { messageOf } from '@trestle/problem/thrown'
import { type BitcoinDaemonName, type Daemon, findDaemon, isDaemonName } from './daemon.js'

/** Which node a deployment gets. */
export interface ChainPlan {
  readonly deployment: string
  /** Whose rules the node keeps. */
  readonly chain: string
  readonly daemon: Daemon
  /** The node one would expect, when this one stands in for it: with rules of its own chain. */
  readonly standsFor?: BitcoinDaemonName
}

interface ChainPlans {
  readonly plans: readonly ChainPlan[]
  /** What a person should know. */
  readonly notes: readonly string[]
}

/** The app whose deployments want a node of their chain. */
const APP = 'btc-connect'

type Find = (name: BitcoinDaemonName) => Promise<Daemon>

/** Looks for the nodes of these deployments. One that cannot be had stops nothing: its chain is left out or stood in for, and a note says so. */
export async function planChains(deployments: readonly Deployment[], find: Find = findDaemon): Promise<ChainPlans> {
  const wanted = deployments.filter(needsNode)
  const found = await Promise.all(wanted.map((deployment) => planOf(deployment, find)))
  return { plans: found.flatMap(({ plan }) => plan ?? []), notes: found.flatMap(({ note }) => note ?? []) }
}

export function needsNode({ app }: Deployment): boolean {
  return app === APP
}

interface Planned {
  readonly plan?: ChainPlan
  readonly note?: string
}

async function planOf({ name, chain }: Deployment, find: Find): Promise<Planned> {
  const leftOut = (why: string) => ({ note: `/${name} is left out. ${why}` })
  const record = chain === undefined ? undefined : RECORDS[chain]
  if (!chain || !record || !isDaemonName(record.daemon)) return leftOut(`There is no node of ${chain} to be had here.`)
  const expected = record.daemon
  try {
    return { plan: { deployment: name, chain, daemon: await find(expected) } }
  } catch (error) {
    const why = messageOf(error)
    const standIn = await findStandIn(record, find)
    if (!standIn) return leftOut(why)
    const { daemon, title } = standIn
    const note = `At /${name}, ${daemon.name} stands in for ${expected}, with the rules of ${title}. ${why}`
    return { plan: { deployment: name, chain: standIn.chain, daemon, standsFor: expected }, note }
  }
}

const RECORDS: Readonly<Record<string, BitcoinRecord>> = BITCOIN_FAMILY

async function findStandIn({ standIn: chain = '' }: BitcoinRecord, find: Find) {
  const { daemon: name = '', title } = RECORDS[chain] ?? {}
  const daemon = isDaemonName(name) ? await find(name).catch(() => undefined) : undefined
  return daemon && { chain, title, daemon }
}
