import { quantity, type SimBlock, type SimLog, TOKEN } from './sim-chain.js'
import { SimFilterCaller } from './sim-filter-caller.js'
import { SimHistoryCaller } from './sim-history-caller.js'
import { SimHttpCaller } from './sim-http-caller.js'
import { SimNetwork } from './sim-network.js'
import { seededRandom } from './sim-random.js'
import { SimReplica } from './sim-replica.js'
import { repeat, type SimRun } from './sim-run.js'
import { SimSharedState } from './sim-shared-state.js'
import { SimSocketCaller } from './sim-socket-caller.js'
import type { VirtualTime } from './virtual-time.js'

const BLOCK_MS = 1_000
/** Without faults, until everybody is in step. */
const MAX_QUIET_MS = 60_000

/** A chain, its nodes, two replicas of the gateway and their callers, all from one seed. */
export class SimWorld implements SimRun {
  readonly violations: string[] = []
  readonly counts = { calls: 0, answered: 0, refused: 0, logs: 0, heads: 0, connections: 0, kills: 0, stored: 0, restored: 0 }
  readonly network: SimNetwork
  readonly replicas: readonly SimReplica[]
  private readonly random: () => number
  private readonly callers: readonly SimHttpCaller[]
  private readonly sockets: readonly SimSocketCaller[]
  private readonly filters: readonly SimFilterCaller[]
  private readonly historians: readonly SimHistoryCaller[]
  private readonly shared: SimSharedState
  private isOver = false

  constructor(
    seed: number,
    readonly time: VirtualTime,
    { storesAnswers = false } = {},
  ) {
    this.random = seededRandom(seed + 0x4000_0000)
    // The gateway's own choices follow from the seed, too.
    Math.random = seededRandom(-seed)
    this.network = new SimNetwork(seed, time)
    const { nodes } = this.network
    const shared = new SimSharedState(storesAnswers)
    this.shared = shared
    const priorities = nodes.map(() => Math.floor(this.random() * 3))
    this.replicas = [0, 1].map(() => new SimReplica(nodes, { pollMs: 300 + Math.floor(this.random() * 700), priorities, shared }))
    const streams = (count: number, from: number) => Array.from({ length: count }, (_, index) => seededRandom(seed + from + index))
    this.callers = streams(6, 0x5000_0000).map(
      (random, index) => new SimHttpCaller(this, this.replicas[index % 2] as SimReplica, random, index),
    )
    this.sockets = streams(4, 0x6000_0000).map((random) => new SimSocketCaller(this, random))
    this.filters = streams(4, 0x7000_0000).map((random, index) => new SimFilterCaller(this, random, index % 2 ? 'blocks' : 'logs'))
    this.historians = streams(storesAnswers ? 3 : 0, 0x7800_0000).map((random) => new SimHistoryCaller(this, this.replicas, random))
  }

  async run(seconds: number): Promise<this> {
    this.begin()
    await this.time.pass(seconds * 1_000)
    for (const node of this.network.faulty) this.network.heal(node)
    this.isOver = true
    await this.settle()
    await this.end()
    if (this.shared.storesAnswers) await this.askStored()
    await this.time.restart()
    return this
  }

  violate(text: string): void {
    const { nodes, faulty } = this.network
    this.violations.push(`${nodes.length} nodes, ${faulty.length} faulty, at ${Math.round(this.time.now)}: ${text}`)
  }

  private begin(): void {
    const { random } = this
    this.repeat(
      () => BLOCK_MS * (0.5 + random()),
      () => this.network.grow(),
    )
    this.repeat(
      () => 4_000 * random(),
      () => this.network.disturb(),
    )
    this.repeat(
      () => 20_000 * random(),
      () => this.kill(),
    )
    for (const caller of this.callers)
      this.repeat(
        () => 50 + 300 * random(),
        () => caller.ask(),
      )
    for (const caller of this.sockets)
      this.repeat(
        () => 200 + 2_000 * random(),
        () => caller.move(),
      )
    for (const caller of this.historians)
      this.repeat(
        () => 50 + 300 * random(),
        () => caller.ask(),
      )
    for (const caller of this.filters)
      this.repeat(
        () => 100 + 800 * random(),
        () => caller.poll(),
      )
  }

  /** One at a time: callers of the other go on. */
  private kill(): void {
    if (!this.replicas.every(({ isServing }) => isServing)) return
    this.counts.kills++
    this.replicas[Math.floor(this.random() * 2)]?.kill()
  }

  /** Until both replicas have the head. */
  private async settle(): Promise<void> {
    const { hash } = this.network.head
    const isThere = () => this.replicas.every(({ gateway, isServing }) => isServing && gateway.tracker.chain.head?.hash === hash)
    for (let second = 0; second < MAX_QUIET_MS / 1_000 && !isThere(); second++) await this.time.pass(1_000)
    if (!isThere()) this.violate(`ends at ${this.replicas.map(({ head }) => head)} instead of ${this.network.head.number}`)
    // What was asked before, and the logs of the last blocks.
    await this.time.pass(6_000)
  }

  private async end(): Promise<void> {
    for (const caller of this.sockets) caller.finish()
    const finishing = Promise.all(this.filters.map((caller) => caller.finish((ms) => new Promise((resolve) => setTimeout(resolve, ms)))))
    await this.passUntil(finishing)
    const asking = Promise.all(this.replicas.map((replica) => this.askCaches(replica)))
    await this.passUntil(asking)
    const stopping = Promise.all(this.replicas.map(({ gateway }) => gateway.stop()))
    await this.passUntil(stopping)
  }

  private async passUntil(settling: Promise<unknown>): Promise<void> {
    let isDone = false
    void settling.finally(() => {
      isDone = true
    })
    for (let second = 0; second < 60 && !isDone; second++) await this.time.pass(1_000)
    await settling
  }

  /** New processes have nothing in memory: while no node answers, whatever they answer was stored. */
  private async askStored(): Promise<void> {
    const { network, replicas, shared } = this
    for (const node of network.nodes) network.heal(node)
    for (const replica of replicas) replica.restart()
    await this.time.pass(15_000)
    for (const node of network.nodes) node.faults = { resets: true }
    const asking = new SimHistoryCaller(this, replicas, this.random)
    for (let block: SimBlock | undefined = network.head; block; block = block.parent)
      await this.passUntil(Promise.all(replicas.map((replica) => asking.askAbout(block, replica))))
    this.counts.stored += shared.answersStored
    this.counts.restored += asking.right
    await this.passUntil(Promise.all(replicas.map(({ gateway }) => gateway.stop())))
  }

  /** While no node answers, whatever is answered was kept: it is true. */
  private async askCaches({ gateway }: SimReplica): Promise<void> {
    for (const node of this.network.nodes) node.faults = { resets: true }
    const { head } = this.network
    const result = async (method: string, ...params: unknown[]) => (await gateway.call(method, ...params)).result
    for (let block: SimBlock | undefined = head; block && block.number > head.number - 15; block = block.parent) {
      const number = quantity(block.number)
      const asked = await Promise.all([
        result('eth_getBlockByNumber', number, false),
        result('eth_getBlockByHash', block.hash, false),
        result('eth_getLogs', { address: TOKEN, fromBlock: number, toBlock: number }),
        result('eth_getLogs', { address: TOKEN, blockHash: block.hash }),
      ])
      for (const shown of asked.slice(0, 2))
        if (shown && shown.hash !== block.hash) this.violate(`the cache holds another block ${block.number}`)
      for (const logs of asked.slice(2)) if (logs && !isOf(logs, block)) this.violate(`the cache holds other logs of block ${block.number}`)
    }
  }

  private repeat(pause: () => number, run: () => unknown): void {
    repeat({ pause, run, isOver: () => this.isOver })
  }
}

function isOf(logs: readonly SimLog[], block: SimBlock): boolean {
  return (
    logs.length === block.logs.length && logs.every(({ transactionHash }, index) => transactionHash === block.logs[index]?.transactionHash)
  )
}
