import type { UpstreamTransport } from '@trestle/gateway/upstream/transport'
import { TransportFault } from '@trestle/gateway/upstream/transport-fault'
import { headerHash } from '../../src/integrity/header-hash.js'
import { UpstreamFault } from '../../src/upstreams/upstream-fault.js'
import { ancestorAt, digest, quantity, type SimBlock } from './sim-chain.js'

/** How a node goes wrong. */
export interface SimFaults {
  /** Blocks that it is behind its own head. */
  readonly lag?: number
  /** Claims a block so far ahead, which nobody has. */
  readonly falseHead?: number
  /** With a hash that is not its header's. */
  readonly forgedHash?: boolean
  /** Has blocks, and no logs of those from this number on. */
  readonly lostLogsFrom?: number
  /** Answers null where a result is due. */
  readonly nulls?: boolean
  /** Answers nothing. */
  readonly hangs?: boolean
  /** Breaks off. */
  readonly resets?: boolean
  readonly chainId?: number
}

export const SIM_CHAIN_ID = 1337

/** A node of a simulated chain, in this process. */
export class SimNode {
  faults: SimFaults = {}
  readonly asked: string[] = []

  constructor(
    readonly name: string,
    /** The newest block it has. */
    public head: SimBlock,
    /** Milliseconds that an answer takes. */
    private readonly latency: () => number = () => 1,
  ) {}

  /** As an upstream of the gateway, for heads and for calls. */
  get client() {
    const config = { name: this.name, url: '', archive: true, priority: 0 }
    return {
      config,
      head: undefined,
      send: (body: string, { timeoutMs }: { timeoutMs: number }) => within(timeoutMs, this.send(body)),
      transport: this.transport,
      close: () => undefined,
    }
  }

  private get transport(): Pick<UpstreamTransport, 'send'> {
    return {
      send: (_head, body, receiver) => {
        this.send(String(body)).then(
          (bytes) => {
            receiver.onHead(200, new Map(), bytes.length)
            receiver.onBody(bytes)
            receiver.onEnd()
          },
          () => receiver.onError(new TransportFault('reset', 'was reset')),
        )
      },
    }
  }

  private async send(body: string): Promise<Buffer> {
    const { method, params } = JSON.parse(body) as { method: string; params: readonly unknown[] }
    this.asked.push(method)
    if (this.faults.hangs) return new Promise(() => {})
    await new Promise((resolve) => setTimeout(resolve, this.latency()))
    if (this.faults.resets) throw new UpstreamFault('reset', 'was reset')
    return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...this.reply(method, params) }))
  }

  private reply(method: string, params: readonly unknown[]): object {
    const result = this.result(method, params)
    if (result instanceof Error) return { error: { code: -32_000, message: result.message } }
    return { result: this.faults.nulls && method !== 'eth_chainId' && method !== 'eth_syncing' ? null : result }
  }

  /** The newest block it admits to have. */
  get shownHead(): SimBlock {
    return ancestorAt(this.head, Math.max(0, this.head.number - (this.faults.lag ?? 0))) ?? this.head
  }

  private result(method: string, [first, second]: readonly unknown[]): unknown {
    const answers: Record<string, () => unknown> = {
      eth_chainId: () => quantity(this.faults.chainId ?? SIM_CHAIN_ID),
      eth_syncing: () => false,
      eth_getBlockByNumber: () =>
        first === 'latest' && this.faults.falseHead ? this.falseHead(this.faults.falseHead) : (this.at(first)?.shown ?? null),
      eth_getBlockByHash: () => this.byHash(String(first))?.shown ?? null,
      eth_getBalance: () => {
        const block = this.at(second)
        return block ? stateOf(block, String(first)) : new Error('header not found')
      },
      eth_getLogs: () => this.logs(first as Record<string, unknown>),
      eth_getTransactionReceipt: () => this.receipt(String(first)),
    }
    return answers[method]?.() ?? (answers[method] ? null : new Error(`the method ${method} does not exist`))
  }

  private falseHead(ahead: number) {
    const { shown, number } = this.shownHead
    const header = { ...shown, number: quantity(number + ahead), parentHash: digest('no parent', number) }
    return { ...header, hash: this.faults.forgedHash ? digest('forged', number) : headerHash(header) }
  }

  private at(reference: unknown): SimBlock | undefined {
    const head = this.shownHead
    if (reference === 'latest' || reference === undefined) return head
    if (reference === 'safe' || reference === 'finalized') return ancestorAt(head, Math.max(0, head.number - 8))
    return String(reference).length === 66 ? this.byHash(String(reference)) : ancestorAt(head, Number(reference))
  }

  private byHash(hash: string): SimBlock | undefined {
    for (let block: SimBlock | undefined = this.shownHead; block; block = block.parent) if (block.hash === hash) return block
    return undefined
  }

  private logs({ fromBlock, toBlock, blockHash, address }: Record<string, unknown>): unknown {
    const to = this.at(blockHash ?? toBlock)
    const from = blockHash ? to : this.at(fromBlock)
    if (!to || !from) return new Error('unknown block')
    const logs: object[] = []
    for (let block: SimBlock | undefined = to; block && block.number >= from.number; block = block.parent) {
      if (block.number < (this.faults.lostLogsFrom ?? Number.POSITIVE_INFINITY)) {
        logs.unshift(...block.logs.filter((log) => address === undefined || log.address === address))
      }
    }
    return logs
  }

  private receipt(transactionHash: string): unknown {
    for (let block: SimBlock | undefined = this.shownHead; block; block = block.parent) {
      const at = block.transactions.indexOf(transactionHash)
      if (at < 0) continue
      const place = { blockHash: block.hash, blockNumber: quantity(block.number), transactionIndex: quantity(at) }
      return { transactionHash, ...place, status: '0x1', logs: [block.logs[at]] }
    }
    return null
  }
}

/** Fails after that time, as a client does. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new UpstreamFault('timeout', 'did not answer')), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** What an account has after a block: another value after each. */
export function stateOf(block: SimBlock, account: string): string {
  return digest('balance', block.hash, account)
}
