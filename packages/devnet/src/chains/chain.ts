import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chainNamed } from '@trestle/contracts/chains/chains'
import type { RunningProcess } from '../process.js'
import { writeAtomically } from '../write-atomically.js'
import { simulateActivity } from './activity.js'
import { startsEmpty } from './daemon.js'
import { makeHistory, WALLET } from './history.js'
import { addressOfOwner } from './mining.js'
import { type RunningNode, removeNode, startNode } from './node.js'
import { SHOP } from './owners.js'
import type { ChainPlan } from './plan.js'

/** What devnet.json says of a chain. */
export interface RegtestInfo {
  /** JSON-RPC; user and password are in the cookie file, with a colon between. */
  readonly rpc: string
  readonly cookieFile: string
  readonly zmq?: string
  /** `Litecoin Core 0.21.2.1` */
  readonly daemon: string
  /** The node one would expect here. */
  readonly standsFor?: string
  readonly height: number
  /** One with a long history; empty on a chain that starts empty. */
  readonly address: string
  /** A wallet of the node's, with coins. */
  readonly wallet: string
}

/** A chain of this devnet: a node, a past, and life. */
export class RegtestChain {
  private node?: RunningNode
  private readonly dir: string

  constructor(
    readonly plan: ChainPlan,
    folder: string,
  ) {
    // Not on another chain's data: bitcoind may be there at the next start.
    this.dir = join(folder, plan.standsFor ? `${plan.deployment}-${plan.daemon.name}` : plan.deployment)
  }

  /** The first time with a past; again on the same ports, with the chain it had. */
  async start(): Promise<RunningProcess> {
    if (!existsSync(this.past)) await removeNode(this.dir)
    this.node = await startNode({ daemon: this.plan.daemon, dir: this.dir, mweb: this.mweb, ports: this.node?.ports }).catch(addAdvice)
    return this.node.process
  }

  /** A past, where there is none yet. */
  async grow(): Promise<void> {
    if (existsSync(this.past)) return
    if (!startsEmpty(this.plan.daemon)) await makeHistory(this.running.rpc, { mweb: this.mweb })
    writeAtomically(this.past, { daemon: this.plan.daemon.version })
  }

  live(signal: AbortSignal): void {
    if (!startsEmpty(this.plan.daemon)) void simulateActivity(this.running.rpc, signal)
  }

  async info(): Promise<RegtestInfo> {
    const { url, cookieFile, zmqUrl, rpc } = this.running
    const { daemon, standsFor } = this.plan
    const [height, address] = await Promise.all([rpc.call<number>('getblockcount'), startsEmpty(daemon) ? '' : addressOfOwner(rpc, SHOP)])
    return { rpc: url, cookieFile, zmq: zmqUrl, daemon: daemon.version, standsFor, height, address, wallet: WALLET }
  }

  /** What the service of this chain is told. */
  env(): Record<string, string> {
    const { url, cookieFile, zmqUrl } = this.running
    const { deployment, chain, daemon, standsFor } = this.plan
    return {
      DEPLOYMENT: deployment,
      CHAIN: chain,
      NETWORK: 'regtest',
      NODE_URL: url,
      NODE_COOKIE_FILE: cookieFile,
      ...(zmqUrl && { NODE_ZMQ_URL: zmqUrl }),
      ...(standsFor && { STAND_IN: daemon.name }),
    }
  }

  private get running(): RunningNode {
    if (!this.node) throw new Error(`The node of ${this.plan.deployment} was not started.`)
    return this.node
  }

  /** Written when the past is whole: a node without is begun anew. */
  private get past(): string {
    return join(this.dir, 'past.json')
  }

  // Extension blocks on a chain's own node only: who stands in for bitcoind shall be as like it as can be.
  private get mweb(): boolean {
    const chain = chainNamed(this.plan.chain)
    return chain?.family === 'bitcoin' && chain.format.mweb === true && !this.plan.standsFor
  }
}

function addAdvice({ message }: Error): never {
  throw new Error(`${message}\nnpm start -- --reset begins its chain anew, and forgets all other data too.`)
}

/** Forgets all chains. */
export async function removeChains(folder: string): Promise<void> {
  if (existsSync(folder)) await Promise.all(readdirSync(folder).map((name) => removeNode(join(folder, name))))
  rmSync(folder, { recursive: true, force: true })
}
