import { ancestorAt, quantity, type SimBlock, type SimLog, TOKEN } from './sim-chain.js'
import { stateOf } from './sim-node.js'
import { pick } from './sim-random.js'
import type { SimReplica } from './sim-replica.js'
import { callAt, type SimRun } from './sim-run.js'

const ACCOUNTS = [1, 2, 3].map((account) => `0x${String(account).repeat(40)}`)

/** Asks one replica after another, and holds each answer against what there was when it asked. */
export class SimHttpCaller {
  private readonly sender: string
  private sent: { readonly hash: string; readonly nonce: number }[] = []

  constructor(
    private readonly run: SimRun,
    private readonly replica: SimReplica,
    private readonly random: () => number,
    index: number,
  ) {
    this.sender = `0x${(index + 10).toString(16).padStart(2, '0').repeat(20)}`
  }

  async ask(): Promise<void> {
    if (!this.replica.isServing) return
    const questions = [
      () => this.askNumber(),
      () => this.askLatest(),
      () => this.askBlock(),
      () => this.askBalance(),
      () => this.askLogs(),
      () => this.askLogsOf(),
      () => this.askReceipt(),
      () => (this.random() < 0.3 ? this.send() : this.askSent()),
    ]
    await pick(questions, this.random)()
  }

  private async askNumber(): Promise<void> {
    const { told } = this.replica
    const number = await this.call('eth_blockNumber')
    if (number !== undefined) this.hear(Number(number), told)
  }

  private async askLatest(): Promise<void> {
    const { told } = this.replica
    const askedAt = this.now
    const block = await this.call('eth_getBlockByNumber', 'latest', false)
    if (!block) return
    this.hear(Number(block.number), told)
    this.expectBlock(block, askedAt)
  }

  /** One that any replica has named. */
  private async askBlock(): Promise<void> {
    const askedAt = this.now
    const number = this.recent()
    const block = await this.call('eth_getBlockByNumber', quantity(number), false)
    if (block === null) this.violate(`null for block ${number}, which was named before`)
    if (!block) return
    if (Number(block.number) !== number) this.violate(`block ${Number(block.number)} instead of ${number}`)
    this.expectBlock(block, askedAt)
  }

  private async askBalance(): Promise<void> {
    const account = pick(ACCOUNTS, this.random)
    const { told } = this.replica
    const askedAt = this.now
    const number = this.random() < 0.5 ? undefined : this.recent()
    const balance = await this.call('eth_getBalance', account, number === undefined ? 'latest' : quantity(number))
    if (balance === undefined) return
    const from = number ?? told
    const to = number ?? this.run.network.highest
    for (let at = from; at <= to; at++)
      if (this.run.network.candidates(at, askedAt).some((block) => stateOf(block, account) === balance)) return
    this.violate(`a balance of no block from ${from} to ${to}`)
  }

  private async askLogs(): Promise<void> {
    const to = this.recent()
    const from = Math.max(0, to - Math.floor(this.random() * 4))
    const askedAt = this.now
    const logs = await this.call('eth_getLogs', { address: TOKEN, fromBlock: quantity(from), toBlock: quantity(to) })
    if (logs) this.expectLogs(logs, { from, to, askedAt })
  }

  private async askLogsOf(): Promise<void> {
    const block = this.someBlock()
    const logs: SimLog[] | undefined = await this.call('eth_getLogs', { address: TOKEN, blockHash: block.hash })
    if (logs && !isSame(logs, block.logs))
      this.violate(`${logs.length} logs of block ${block.number} by hash, which has ${block.logs.length}`)
  }

  private async askReceipt(): Promise<void> {
    const askedAt = this.now
    const [transaction] = this.someBlock().transactions
    const receipt = transaction && (await this.call('eth_getTransactionReceipt', transaction))
    if (receipt) this.hearReceipt(receipt, askedAt)
  }

  private async send(): Promise<void> {
    const nonce = this.sent.length
    const raw = `0x02${this.sender.slice(2)}${nonce.toString(16).padStart(16, '0')}`
    const hash = await this.call('eth_sendRawTransaction', raw)
    if (!hash) return
    if (nonce === this.sent.length) this.sent.push({ hash, nonce })
    const couldTell = this.canTell(hash)
    const next = await this.call('eth_getTransactionCount', this.sender, 'pending')
    if (next !== undefined && Number(next) <= nonce && couldTell && this.canTell(hash))
      this.violate(`the next nonce is ${Number(next)} after ${nonce} was sent`)
  }

  /** Where the nodes that have accepted a transaction are gone at that moment, the others may not have heard of it. */
  private canTell(hash: string): boolean {
    const { upstreams } = this.replica.gateway.tracker
    return this.run.network.nodes.some(({ name, accepted }) => {
      const status = upstreams.get(name)
      return accepted.has(hash) && status?.isUsable && status.isOnOurChain
    })
  }

  /** Whoever has a receipt finds the nonce used, also by the number of the block. */
  private async askSent(): Promise<void> {
    const sent = this.sent.at(-1 - Math.floor(this.random() * 2))
    if (!sent) return
    const askedAt = this.now
    const receipt = await this.call('eth_getTransactionReceipt', sent.hash)
    if (!receipt) return
    this.hearReceipt(receipt, askedAt)
    const reference = this.random() < 0.5 ? 'latest' : receipt.blockNumber
    const next = await this.call('eth_getTransactionCount', this.sender, reference)
    const isStanding = ancestorAt(this.run.network.head, Number(receipt.blockNumber))?.hash === receipt.blockHash
    if (next !== undefined && isStanding && Number(next) <= sent.nonce)
      this.violate(`nonce ${Number(next)} at ${reference} after the receipt of ${sent.nonce} in block ${Number(receipt.blockNumber)}`)
  }

  private hearReceipt(receipt: { blockNumber: string; blockHash: string }, askedAt: number): void {
    this.hear(Number(receipt.blockNumber), 0)
    if (!this.run.network.isCurrent(receipt.blockHash, askedAt)) this.violate(`a receipt of no block: ${Number(receipt.blockNumber)}`)
  }

  /** `least`: what was known when it was asked. */
  private hear(number: number, least: number): void {
    if (number < least) this.violate(`block ${number} after ${least}`)
    if (number > this.run.network.highest) this.violate(`block ${number}, where the highest is ${this.run.network.highest}`)
    this.replica.told = Math.max(this.replica.told, number)
  }

  private expectBlock({ hash, number }: { hash: string; number: string }, askedAt: number): void {
    if (!this.run.network.isCurrent(hash, askedAt)) this.violate(`block ${Number(number)} that is not there: ${hash}`)
  }

  private expectLogs(logs: readonly SimLog[], { from, to, askedAt }: { from: number; to: number; askedAt: number }): void {
    this.run.counts.logs += logs.length
    const { network } = this.run
    for (let number = from; number <= to; number++) {
      const found = logs.filter((log) => Number(log.blockNumber) === number)
      const candidates = network.candidates(number, askedAt)
      if (!candidates.some((block) => isSame(found, block.logs)))
        this.violate(`${found.length} logs of block ${number} (of ${from} to ${to}), of ${candidates.map((block) => block.logs.length)}`)
    }
    const last = network.block(logs.at(-1)?.blockHash ?? '')
    if (last && logs.some((log) => ancestorAt(last, Number(log.blockNumber))?.hash !== log.blockHash))
      this.violate(`logs of two branches from ${from} to ${to}`)
  }

  private someBlock(): SimBlock {
    const { head } = this.run.network
    return ancestorAt(head, head.number - Math.floor(this.random() * 4)) ?? head
  }

  /** The newest block that any replica has named, or one shortly before it. */
  private recent(): number {
    const told = Math.max(...this.run.replicas.map((replica) => replica.told))
    return Math.max(0, told - Math.floor(this.random() ** 2 * 6))
  }

  private call(method: string, ...params: unknown[]) {
    return callAt(this.run, this.replica, method, ...params)
  }

  private violate(text: string): void {
    this.run.violate(`replica ${this.run.replicas.indexOf(this.replica)}: ${text}`)
  }

  private get now(): number {
    return this.run.time.now
  }
}

function isSame(found: readonly SimLog[], logs: readonly SimLog[]): boolean {
  return found.length === logs.length && found.every(({ transactionHash }, index) => transactionHash === logs[index]?.transactionHash)
}
