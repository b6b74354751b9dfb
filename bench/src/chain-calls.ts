import { Pool } from 'undici'

interface Block {
  readonly number: string
  readonly transactions: readonly string[]
}

const RECENT = 20
const ANY_ACCOUNT = '0x000000000000000000000000000000000000dead'

/** Calls near the head of a chain, in the proportions of eRPC's own load test; contract calls replace its traces, which are not served. */
export class ChainCalls {
  failures = 0
  readonly millis: number[] = []
  private readonly pool: Pool
  private readonly path: string
  private readonly token: string
  private blocks: Block[] = []

  constructor(url: string, token: string) {
    this.token = token
    const { origin, pathname } = new URL(url)
    this.pool = new Pool(origin, { connections: 128, pipelining: 1 })
    this.path = pathname
  }

  /** Learns the newest block, to ask about it. */
  async refresh(): Promise<void> {
    const block = (await this.ask('eth_getBlockByNumber', ['latest', false])) as Block
    if (block.number !== this.blocks.at(-1)?.number) this.blocks = [...this.blocks, block].slice(-RECENT)
  }

  /** One call of the mix. */
  async next(): Promise<void> {
    const started = performance.now()
    const [method, params] = this.choose(Math.random())
    try {
      await this.ask(method, params)
    } catch {
      this.failures++
    }
    this.millis.push(performance.now() - started)
  }

  async ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await this.pool.request({ method: 'POST', path: this.path, headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await answer.body.json()) as { result: unknown; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  close(): Promise<void> {
    return this.pool.close()
  }

  private choose(share: number): [string, readonly unknown[]] {
    const block = this.blocks[Math.floor(Math.random() * this.blocks.length)]
    const transaction = block?.transactions[0]
    if (share < 0.3) return ['eth_getBlockByNumber', [block?.number ?? 'latest', true]]
    if (share < 0.35) return ['eth_getBlockByNumber', ['latest', false]]
    if (share < 0.4) return ['eth_getLogs', [{ fromBlock: block?.number ?? 'latest', toBlock: 'latest' }]]
    if (share < 0.7 && transaction) return ['eth_getTransactionReceipt', [transaction]]
    if (share < 0.9) return ['eth_call', [{ to: this.token, data: `0x70a08231${word(Math.random())}` }, 'latest']]
    return ['eth_getBalance', [ANY_ACCOUNT, 'latest']]
  }
}

/** One of a hundred addresses, as an argument of a call. */
function word(share: number): string {
  return Math.floor(share * 100)
    .toString(16)
    .padStart(64, '0')
}
