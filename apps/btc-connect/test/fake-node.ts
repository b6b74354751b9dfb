import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Transaction } from '@trestle/bitcoin/transaction'
import { FakeServer } from '@trestle/testing/fake-server'
import { smallChainHash } from './small-chain.js'

type Params = readonly unknown[]

/** What the node's JSON-RPC refuses with. */
export class FakeRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** A server that speaks like a node about a chain of blocks in memory, and lies wherever a test says so. */
export class FakeNode extends FakeServer {
  /** The methods that were asked, in order. */
  readonly asked: string[] = []
  /** `user:password`, where it wants one. */
  credentials?: string
  rest = true
  /** What waits for a block. */
  mempool: readonly Pick<Transaction, 'txid' | 'raw'>[] = []
  /** In the place of its true answers, by method. */
  readonly answers: Record<string, (...params: Params) => unknown> = {}
  /** What it sends for a block, instead of the block. */
  blockFor: (hash: string) => Buffer | undefined = (hash) => this.blocks.find((block) => smallChainHash(block).toString('hex') === hash)
  /** Takes over the whole of an answer. */
  takeOver?: (response: ServerResponse, request: IncomingMessage) => void

  private constructor(public blocks: readonly Buffer[]) {
    super()
  }

  static start(blocks: readonly Buffer[] = []): Promise<FakeNode> {
    return new FakeNode(blocks).listen()
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (this.takeOver) return this.takeOver(response, request)
    if (request.method === 'GET') return this.serveRest(request.url ?? '', response)
    if (this.credentials && request.headers.authorization !== `Basic ${Buffer.from(this.credentials).toString('base64')}`) {
      response.writeHead(401).end()
      return
    }
    const calls = JSON.parse(body)
    const answer = Array.isArray(calls) ? calls.map((call) => this.answer(call)).reverse() : this.answer(calls)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  }

  private serveRest(path: string, response: ServerResponse): void {
    this.asked.push(path)
    const [, hash = ''] = /^\/rest\/block\/([0-9a-f]{64})\.bin$/.exec(path) ?? []
    const bytes = path === '/rest/chaininfo.json' ? Buffer.from('{}') : this.blockFor(hash)
    if (this.rest && bytes) response.end(bytes)
    else response.writeHead(404).end(`${hash} not found`)
  }

  private answer({ id, method, params }: { id: number; method: string; params: Params }): object {
    this.asked.push(method)
    try {
      return { result: (this.answers[method] ?? this.truth(method))(...params), error: null, id }
    } catch (error) {
      if (error instanceof FakeRefusal) return { result: null, error: { code: error.code, message: error.message }, id }
      throw error
    }
  }

  private truth(method: string): (...params: Params) => unknown {
    const tip = this.blocks.length - 1
    const hashAt = (height: number) => {
      if (!this.blocks[height]) throw new FakeRefusal(-8, 'Block height out of range')
      return smallChainHash(this.blocks[height]).toString('hex')
    }
    const truths: Record<string, (...params: Params) => unknown> = {
      getblockchaininfo: () => ({
        chain: 'regtest',
        blocks: tip,
        bestblockhash: hashAt(tip),
        difficulty: 4.656542373906925e-10,
        pruned: false,
      }),
      getnetworkinfo: () => ({
        version: 290000,
        subversion: '/Satoshi:29.0.0/',
        protocolversion: 70016,
        timeoffset: 0,
        connections: 3,
        networks: [{ proxy: '' }],
        relayfee: 0.00001,
        warnings: ['one', 'two'],
      }),
      getbestblockhash: () => hashAt(tip),
      getblockhash: (height) => hashAt(height as number),
      getblock: (hash) => {
        const block = this.blockFor(hash as string)
        if (!block) throw new FakeRefusal(-5, 'Block not found')
        return block.toString('hex')
      },
      getzmqnotifications: () => [],
      getmempoolinfo: () => ({ size: this.mempool.length, bytes: 0, usage: 0, loaded: true }),
      getrawmempool: () => this.mempool.map(({ txid }) => txid.toString('hex')),
      getrawtransaction: (id) => {
        const found = this.mempool.find(({ txid }) => txid.toString('hex') === id)
        if (!found) throw new FakeRefusal(-5, 'No such mempool transaction')
        return found.raw.toString('hex')
      },
    }
    return (
      truths[method] ??
      (() => {
        throw new FakeRefusal(-32601, 'Method not found')
      })
    )
  }
}
