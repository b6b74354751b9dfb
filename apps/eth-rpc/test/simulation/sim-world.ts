import { jest } from '@jest/globals'
import type { FilterRecord } from '../../src/filters/filter-record.js'
import { ancestorAt, quantity, type SimBlock, TOKEN } from './sim-chain.js'
import { SimGateway } from './sim-gateway.js'
import { SimNetwork } from './sim-network.js'
import { stateOf } from './sim-node.js'
import type { VirtualTime } from './virtual-time.js'

const BLOCK_MS = 1_000
const RUN_MS = 40_000
/** Without faults, until everybody is in step. */
const QUIET_MS = 25_000
const ACCOUNTS = [1, 2, 3].map((account) => `0x${String(account).repeat(40)}`)

interface Replica {
  readonly gateway: SimGateway
  /** The newest block that anybody was told of here. */
  told: number
}

interface DeliveredLog {
  readonly transactionHash: string
  readonly blockHash: string
  readonly removed: boolean
}

/** A chain, its nodes, two replicas of the gateway and their callers, all from one seed. */
export class SimWorld {
  readonly violations: string[] = []
  readonly counts = { calls: 0, answered: 0, refused: 0, logs: 0 }
  readonly network: SimNetwork
  private readonly replicas: readonly Replica[]
  private readonly random: () => number
  private isQuiet = false
  private isOver = false
  private filter?: { record: FilterRecord; writtenAt: number; from: number }
  private readonly delivered: DeliveredLog[] = []

  constructor(
    seed: number,
    private readonly time: VirtualTime,
  ) {
    this.random = randomOf(seed)
    // The gateway's own choices follow from the seed, too.
    jest.spyOn(Math, 'random').mockImplementation(randomOf(-seed))
    this.network = new SimNetwork(seed, this.random, time)
    const { nodes } = this.network
    const priorities = nodes.map(() => Math.floor(this.random() * 3))
    this.replicas = [0, 1].map(() => ({
      gateway: new SimGateway(nodes, { pollMs: 300 + Math.floor(this.random() * 700), priorities }),
      told: 0,
    }))
  }

  async run(): Promise<this> {
    for (const { gateway } of this.replicas) gateway.start()
    this.repeat(
      () => BLOCK_MS * (0.5 + this.random()),
      () => this.network.grow(),
    )
    this.repeat(
      () => 4_000 * this.random(),
      () => this.network.disturb(),
    )
    for (const replica of this.replicas) {
      for (let caller = 0; caller < 3; caller++)
        this.repeat(
          () => 50 + 300 * this.random(),
          () => void this.ask(replica),
        )
    }
    this.repeat(
      () => 200 + 800 * this.random(),
      () => void this.poll(),
    )
    await this.time.pass(RUN_MS)
    this.isQuiet = true
    for (const node of this.network.faulty) this.network.heal(node)
    await this.time.pass(QUIET_MS)
    this.isOver = true
    // Nothing new from now on.
    await this.time.pass(6_000)
    await this.end()
    return this
  }

  private async end(): Promise<void> {
    for (const { gateway } of this.replicas) {
      const { head } = gateway.tracker.chain
      if (head?.hash !== this.network.head.hash) this.violate(`ends at ${head?.number} instead of ${this.network.head.number}`)
    }
    await this.finishFilter()
    const stopping = this.replicas.map(({ gateway }) => gateway.stop())
    await this.time.pass(6_000)
    await Promise.all(stopping)
  }

  private violate(text: string): void {
    this.violations.push(
      `${this.network.nodes.length} nodes, ${this.network.faulty.length} faulty, at ${Math.round(this.time.now)}: ${text}`,
    )
  }

  // What callers ask, and what they may be told.

  private async ask(replica: Replica): Promise<void> {
    if (this.isOver) return
    this.counts.calls++
    const questions = [
      () => this.askNumber(replica),
      () => this.askBlock(replica),
      () => this.askBalance(replica),
      () => this.askLogs(replica),
      () => this.askReceipt(replica),
    ]
    await questions[Math.floor(this.random() * questions.length)]?.()
  }

  private async call(replica: Replica, method: string, ...params: unknown[]) {
    const { result, error } = await replica.gateway.call(method, ...params)
    if (error) this.counts.refused++
    else this.counts.answered++
    return result
  }

  private async askNumber(replica: Replica): Promise<void> {
    const { told } = replica
    const number = await this.call(replica, 'eth_blockNumber')
    if (number !== undefined) this.hear(replica, Number(number), told)
  }

  private async askBlock(replica: Replica): Promise<void> {
    const { told } = replica
    const block = await this.call(replica, 'eth_getBlockByNumber', 'latest', false)
    if (!block) return
    this.hear(replica, Number(block.number), told)
    if (!this.network.allowed(Number(block.number)).some(({ hash }) => hash === block.hash))
      this.violate(`a block that nobody made: ${block.number} ${block.hash}`)
  }

  private async askBalance(replica: Replica): Promise<void> {
    const account = this.pick(ACCOUNTS)
    const { told } = replica
    const balance = await this.call(replica, 'eth_getBalance', account, 'latest')
    if (balance === undefined) return
    const block = [...this.network.real.values(), ...this.network.forks()].find((each) => stateOf(each, account) === balance)
    if (!block) this.violate(`a balance of no block: ${balance}`)
    else if (block.number < told) this.violate(`a balance of block ${block.number} after ${told}`)
  }

  private async askLogs(replica: Replica): Promise<void> {
    const to = Math.max(0, replica.told)
    const from = Math.max(0, to - Math.floor(this.random() * 4))
    const logs = (await this.call(replica, 'eth_getLogs', { address: TOKEN, fromBlock: quantity(from), toBlock: quantity(to) })) as
      | DeliveredLog[]
      | undefined
    if (!logs) return
    this.counts.logs += logs.length
    for (let number = from; number <= to; number++) {
      const found = logs.filter((log) => Number((log as unknown as { blockNumber: string }).blockNumber) === number)
      const fits = this.network.allowed(number).some((block) => same(block.logs.map(idOf), found.map(idOf)))
      if (!fits)
        this.violate(`logs of block ${number} are ${found.length}, of ${this.network.allowed(number).map((block) => block.logs.length)}`)
    }
  }

  private async askReceipt(replica: Replica): Promise<void> {
    const block = ancestorAt(this.network.head, this.network.head.number - Math.floor(this.random() * 4))
    const transaction = block?.transactions[0]
    if (!transaction) return
    const receipt = await this.call(replica, 'eth_getTransactionReceipt', transaction)
    if (!receipt) return
    this.hear(replica, Number(receipt.blockNumber), 0)
    if (!this.network.allowed(Number(receipt.blockNumber)).some(({ hash }) => hash === receipt.blockHash))
      this.violate(`a receipt of no block: ${receipt.blockHash}`)
  }

  /** `least`: what was known when it was asked. */
  private hear(replica: Replica, number: number, least: number): void {
    if (number < least) this.violate(`block ${number} after ${least}`)
    const highest = Math.max(this.network.head.number, ...this.network.forks().map((block) => block.number))
    if (number > highest) this.violate(`block ${number}, where the highest is ${highest}`)
    replica.told = Math.max(replica.told, number)
  }

  // A filter that is polled at either replica.

  private async poll(): Promise<void> {
    if (this.isOver && !this.isQuiet) return
    const { filters, tracker } = this.pick(this.replicas).gateway
    const head = tracker.chain.head
    if (!head) return
    if (!this.filter) {
      this.filter = { record: filters.startLogs({ address: TOKEN }), writtenAt: this.time.now, from: head.number + 1 }
      return
    }
    const { record, writtenAt } = this.filter
    try {
      const { json, next } = await filters.since(record, this.time.now - writtenAt)
      // As with compare and set: of two at once the first wins.
      if (this.filter.record !== record) return
      this.filter = { ...this.filter, record: next, writtenAt: next === record ? writtenAt : this.time.now }
      this.delivered.push(...(JSON.parse(json.toString()) as DeliveredLog[]))
    } catch {
      this.counts.refused++
    }
  }

  private async finishFilter(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      const polling = this.poll()
      await this.time.pass(2_500)
      await polling
    }
    if (!this.filter) return this.violate('no filter could be made')
    const standing: string[] = []
    for (const log of this.delivered) {
      const id = idOf(log)
      const at = standing.indexOf(id)
      if (log.removed) {
        if (at < 0) this.violate(`a log is removed that was not told: ${id}`)
        else standing.splice(at, 1)
      } else if (at >= 0) this.violate(`a log is told twice: ${id}`)
      else standing.push(id)
    }
    const expected: string[] = []
    // A reorganization may begin below the block at which the filter was made.
    const below: string[] = []
    for (let block: SimBlock | undefined = this.network.head; block; block = block.parent) {
      const logs = block.logs.map(idOf)
      ;(block.number >= this.filter.from ? expected : below).push(...logs)
    }
    const missing = expected.filter((id) => !standing.includes(id))
    const extra = standing.filter((id) => !expected.includes(id) && !below.includes(id))
    if (missing.length + extra.length > 0) this.violate(`a filter misses ${missing} of ${expected.length} logs, and has ${extra} too many`)
  }

  private repeat(pause: () => number, run: () => void): void {
    const again = () => {
      if (this.isOver) return
      run()
      setTimeout(again, pause())
    }
    setTimeout(again, pause())
  }

  private pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)] as T
  }
}

function idOf({ transactionHash, blockHash }: { readonly transactionHash: string; readonly blockHash: string }): string {
  return `${blockHash.slice(0, 12)} ${transactionHash.slice(0, 12)}`
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
