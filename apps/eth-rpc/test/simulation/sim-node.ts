import type { UpstreamTransport } from '@trestle/gateway/upstream/transport'
import { TransportFault } from '@trestle/gateway/upstream/transport-fault'
import { headerHash } from '../../src/integrity/header-hash.js'
import { UpstreamFault } from '../../src/upstreams/upstream-fault.js'
import { ancestorAt, digest, quantity, type SimBlock, type SimTransaction } from './sim-chain.js'

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
  /** Answers about other blocks than it was asked about. */
  readonly lies?: boolean
  /** Refuses every call. */
  readonly limited?: boolean
}

export const SIM_CHAIN_ID = 1337

/** A node of a simulated chain, in this process. */
export class SimNode {
  private current: SimFaults = {}
  /** Requests that are not answered. */
  private hanging: ((error: Error) => void)[] = []
  readonly asked: string[] = []
  /** What it knows of the transactions that callers have sent, by sender: all up to this nonce. */
  readonly known = new Map<string, number>()
  /** The hashes of those that it was sent. */
  readonly accepted = new Set<string>()
  onTransaction: (raw: string) => SimTransaction | undefined = () => undefined

  constructor(
    readonly name: string,
    /** The newest block it has. */
    public head: SimBlock,
    /** Milliseconds that an answer takes. */
    private readonly latency: () => number = () => 1,
  ) {}

  get faults(): SimFaults {
    return this.current
  }

  set faults(faults: SimFaults) {
    this.current = faults
    if (faults.resets) for (const end of this.hanging.splice(0)) end(wasReset())
  }

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
          ({ kind }: UpstreamFault) =>
            kind === 'limited' ? receiver.onHead(429, new Map(), 0) : receiver.onError(new TransportFault('reset', 'was reset')),
        )
      },
    }
  }

  private async send(body: string): Promise<Buffer> {
    const { method, params } = JSON.parse(body) as { method: string; params: readonly unknown[] }
    this.asked.push(method)
    if (this.faults.hangs) await new Promise((_, end) => this.hanging.push(end))
    await new Promise((resolve) => setTimeout(resolve, this.latency()))
    if (this.faults.resets) throw wasReset()
    if (this.faults.limited) throw new UpstreamFault('limited', 'limits us')
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
        first === 'latest' && this.faults.falseHead ? this.falseHead(this.faults.falseHead) : (this.shown(first)?.shown ?? null),
      eth_getBlockByHash: () => this.shown(first)?.shown ?? null,
      eth_getBalance: () => {
        const block = this.at(second)
        return block ? stateOf(block, String(first)) : new Error('header not found')
      },
      eth_getLogs: () => this.logs(first as Record<string, unknown>),
      eth_getTransactionReceipt: () => this.receipt(String(first)),
      eth_getTransactionCount: () => this.nonce(String(first), second),
      eth_sendRawTransaction: () => this.onTransaction(String(first))?.hash ?? new Error('no transaction'),
    }
    return answers[method]?.() ?? (answers[method] ? null : new Error(`the method ${method} does not exist`))
  }

  private falseHead(ahead: number) {
    const { shown, number } = this.shownHead
    const header = { ...shown, number: quantity(number + ahead), parentHash: digest('no parent', number) }
    return { ...header, hash: this.faults.forgedHash ? digest('forged', number) : headerHash(header) }
  }

  private nonce(sender: string, reference: unknown): unknown {
    const block = this.at(reference)
    if (!block) return new Error('header not found')
    const mined = block.nonces[sender] ?? 0
    return quantity(reference === 'pending' ? Math.max(mined, this.known.get(sender) ?? 0) : mined)
  }

  protected at(reference: unknown): SimBlock | undefined {
    const head = this.shownHead
    if (reference === 'latest' || reference === 'pending' || reference === undefined) return head
    if (reference === 'safe' || reference === 'finalized') return ancestorAt(head, Math.max(0, head.number - 8))
    return String(reference).length === 66 ? this.byHash(String(reference)) : ancestorAt(head, Number(reference))
  }

  /** What it shows of a block, or instead of it. */
  private shown(reference: unknown): SimBlock | undefined {
    const block = this.at(reference)
    return this.faults.lies ? block?.parent : block
  }

  private byHash(hash: string): SimBlock | undefined {
    for (let block: SimBlock | undefined = this.shownHead; block; block = block.parent) if (block.hash === hash) return block
    return undefined
  }

  private logs({ fromBlock, toBlock, blockHash, address }: Record<string, unknown>): unknown {
    const to = this.shown(blockHash ?? toBlock)
    const from = blockHash ? to : this.shown(fromBlock)
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
      return { transactionHash, ...place, status: '0x1', logs: block.logs.slice(at, at + 1) }
    }
    return null
  }
}

function wasReset(): UpstreamFault {
  return new UpstreamFault('reset', 'was reset')
}

/** Fails after that time, as a client does. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new UpstreamFault('timeout', 'did not answer')), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** What an account has after a block: another value after each. */
export function stateOf({ hash }: SimBlock, account: string): string {
  return `0x${account.slice(2, 4)}${hash.slice(4)}`
}
