import { BlockLedger, LogLedger } from '../ledgers.js'
import { TOKEN } from './sim-chain.js'
import { pick } from './sim-random.js'
import type { SimReplica } from './sim-replica.js'
import type { SimRun } from './sim-run.js'
import type { SimSocket } from './sim-socket.js'

interface Message {
  readonly id?: number
  readonly result?: string
  readonly error?: { readonly message: string }
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly params?: { readonly subscription: string; readonly result: any }
}

/** Subscribes to heads and logs over one WebSocket after another, at any replica. */
export class SimSocketCaller {
  private socket?: SimSocket
  private replica?: SimReplica
  private heads?: string
  private logs?: string
  private blockLedger?: BlockLedger
  private logLedger?: LogLedger

  constructor(
    private readonly run: SimRun,
    private readonly random: () => number,
  ) {}

  /** Connects where it is not connected, or breaks the connection off now and then. */
  move(): void {
    if (this.socket?.isOpen) {
      if (this.random() < 0.15) this.socket.close()
      return
    }
    const replica = pick(this.run.replicas, this.random)
    if (!replica.isServing) return
    this.run.counts.connections++
    this.replica = replica
    this.heads = this.logs = undefined
    const socket = replica.gateway.connect((text) => this.take(JSON.parse(text)))
    this.socket = socket
    const ask = (id: number, topic: string, option?: object) =>
      socket.emit(
        'message',
        Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: option ? [topic, option] : [topic] })),
      )
    ask(1, 'newHeads')
    ask(2, 'logs', { address: TOKEN })
  }

  /** What is wrong at the end. */
  finish(): void {
    if (!this.socket?.isOpen) return
    const { head } = this.run.network
    for (const fault of [this.blockLedger?.missing(head), this.logLedger?.missing(head)]) if (fault) this.violate(fault)
  }

  private take({ id, result, error, params }: Message): void {
    const find = (hash: string) => this.run.network.block(hash)
    if (error) this.violate(`no subscription: ${error.message}`)
    else if (id === 1) {
      this.heads = result
      this.blockLedger = new BlockLedger(find)
    } else if (id === 2) {
      this.logs = result
      this.logLedger = new LogLedger(find, { after: this.replica?.head ?? 0 })
    } else if (params?.subscription === this.heads) this.takeHead(params?.result)
    else if (params?.subscription === this.logs) {
      this.run.counts.logs++
      const fault = this.logLedger?.add(params?.result)
      if (fault) this.violate(fault)
    } else this.violate('a notification of no subscription')
  }

  private takeHead({ hash, number }: { hash: string; number: string }): void {
    this.run.counts.heads++
    const fault = this.blockLedger?.add(hash)
    if (fault) this.violate(fault)
    if (!this.run.network.isCurrent(hash, this.run.time.now)) this.violate(`block ${Number(number)} that is not there`)
    if (this.replica) this.replica.told = Math.max(this.replica.told, Number(number))
  }

  private violate(text: string): void {
    this.run.violate(`over WebSocket: ${text}`)
  }
}
