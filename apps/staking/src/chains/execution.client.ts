import { DEPOSIT_EVENT_TOPIC } from '@trestle/ethereum/deposit'
import { formatHex } from '@trestle/ethereum/hex'
import type { EthereumNetwork } from '@trestle/ethereum/network'
import { z } from 'zod'
import {
  ChainIdResult,
  DepositLogsResult,
  type ExecutionBlock,
  ExecutionBlockResult,
  LatestBlockResult,
  type LoggedDeposit,
  type Receipt,
  ReceiptsResult,
} from './execution-responses.js'
import { firstOf, JsonHttpClient } from './json-http.client.js'
import { UpstreamRefusal, UpstreamUnavailable, WrongNetwork } from './upstream-errors.js'
import { readJson, readValue } from './upstream-json.js'

const LIMITS = { timeoutMs: 20_000, maxBytes: 64 * 1024 * 1024 }

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A chain's execution nodes, tried in order until one of the right network answers. */
export class ExecutionClient {
  private readonly nodes: readonly ExecutionNode[]

  constructor(
    urls: readonly string[],
    private readonly network: () => Promise<EthereumNetwork>,
  ) {
    this.nodes = urls.map((url, i) => new ExecutionNode(url, `execution node ${i + 1}`))
  }

  get isConfigured(): boolean {
    return this.nodes.length > 0
  }

  latestBlock(): Promise<number> {
    return this.ask({ method: 'eth_getBlockByNumber', params: ['latest', false] }, LatestBlockResult)
  }

  /** The deposits that the contract logged in these blocks, both inclusive. */
  async depositLogs(fromBlock: number, toBlock: number): Promise<LoggedDeposit[]> {
    const { depositContract } = await this.network()
    const filter = {
      address: formatHex(depositContract),
      topics: [formatHex(DEPOSIT_EVENT_TOPIC)],
      fromBlock: quantity(fromBlock),
      toBlock: quantity(toBlock),
    }
    return this.ask({ method: 'eth_getLogs', params: [filter] }, DepositLogsResult)
  }

  /** Undefined if the node does not have it. */
  async blockByHash(hash: Buffer): Promise<ExecutionBlock | undefined> {
    const block = await this.ask({ method: 'eth_getBlockByHash', params: [formatHex(hash), true] }, ExecutionBlockResult.nullable())
    return block ?? undefined
  }

  async receipts(blockNumber: number): Promise<Receipt[] | undefined> {
    const receipts = await this.ask({ method: 'eth_getBlockReceipts', params: [quantity(blockNumber)] }, ReceiptsResult.nullable())
    return receipts ?? undefined
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()))
  }

  private async ask<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
    const { chainId } = await this.network()
    return firstOf(this.nodes, 'execution', (node) => node.ask(call, schema, chainId))
  }
}

/** One execution node. Its chain id is checked before the first request, and again after it was unreachable. */
class ExecutionNode {
  private readonly http: JsonHttpClient
  private isChecked = false

  constructor(
    url: string,
    private readonly name: string,
  ) {
    this.http = new JsonHttpClient(url, name)
  }

  async ask<T>(call: Call, schema: z.ZodType<T>, chainId: number): Promise<T> {
    try {
      if (!this.isChecked) await this.check(chainId)
      return await this.call(call, schema)
    } catch (error) {
      if (error instanceof UpstreamUnavailable) this.isChecked = false
      throw error
    }
  }

  close(): Promise<void> {
    return this.http.close()
  }

  private async check(expected: number): Promise<void> {
    const chainId = await this.call({ method: 'eth_chainId', params: [] }, ChainIdResult)
    if (chainId !== expected) throw new WrongNetwork(`${this.name} has chain id ${chainId}, not ${expected}.`)
    this.isChecked = true
  }

  private async call<T>({ method, params }: Call, schema: z.ZodType<T>): Promise<T> {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const { text, status } = await this.http.request({ method: 'POST', path: '', body, ...LIMITS })
    if (status >= 500) throw new UpstreamUnavailable(`${this.name} failed with status ${status}.`)
    const { error, result } = readJson(Envelope, text, this.name)
    if (error) throw new UpstreamRefusal(error.code, `${this.name} refused ${method}: ${error.message.slice(0, 200)}`)
    return readValue(schema, result ?? null, `${this.name}, asked ${method},`)
  }
}

const Envelope = z.object({ result: z.unknown().optional(), error: z.object({ code: z.int(), message: z.string() }).nullish() })

function quantity(number: number): string {
  return `0x${number.toString(16)}`
}
