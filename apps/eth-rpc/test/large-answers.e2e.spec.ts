import { once } from 'node:events'
import { request } from 'node:http'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { SocketCaller } from './socket-caller.js'
import { type ReceivedCall, ScriptedNode } from './upstreams/scripted-node.js'

const CHAIN: Readonly<Record<string, unknown>> = { eth_chainId: '0x7a69', eth_syncing: false }
// What the cache takes, and what is too large for it.
const BYTES = [40_000, 300_000, 1_500_000, 2_500_000]
const ROUNDS = 4

/** Answers of some size, all of them different, whose memory is given back once they are sent. */
describe('large answers', () => {
  let node: ScriptedNode
  let gateway: EthRpcUnderTest
  let urls: readonly string[]

  beforeAll(async () => {
    node = await ScriptedNode.start((call, response) => {
      const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: resultOf(call) })
      // In one piece or in many, as a length or as chunks.
      if (answer.length % 2 === 0) response.setHeader('content-length', answer.length)
      response.end(answer)
    })
    gateway = await startEthRpcUnderTest(node.url)
    // The second one is served through Fastify.
    urls = [await gateway.project(), await gateway.project({ allowedIps: ['0.0.0.0/0', '::/0'] })]
  })
  afterAll(async () => {
    await gateway.stop()
    node.stop()
  })

  it.each(['pending', '0x1', 'latest'])(
    'are each what the node answered at %s, to many callers at once, again and again',
    async (block) => {
      for (let round = 0; round < ROUNDS; round++) {
        const asked = BYTES.flatMap((bytes) => urls.map((url, each) => ({ url, params: paramsOf(bytes, 10 * round + each, block) })))
        const answers = await Promise.all(asked.map(({ url, params }) => ask(url, params)))
        expect(answers.map((answer, each) => answer === large(asked[each]?.params ?? []))).toEqual(asked.map(() => true))
      }
    },
  )

  it('are whole for each of several callers who ask the same, of whom one reads slowly and one leaves', async () => {
    for (const bytes of [...BYTES, 30_000_000]) {
      const params = paramsOf(bytes, 77, '0x1')
      const before = node.received.length
      const slow = askSlowly(urls[0] ?? '', params)
      const leaving = new AbortController()
      const left = ask(urls[0] ?? '', params, leaving.signal).catch(() => 'left')
      const answers = Promise.all([1, 2, 3].map(() => ask(urls[0] ?? '', params)))
      setTimeout(() => leaving.abort(), 5)
      expect((await answers).map((answer) => answer === large(params))).toEqual([true, true, true])
      // Others come and go meanwhile, in memory that was given back.
      for (let other = 0; other < 3; other++) {
        const others = paramsOf(bytes, 100 + other, 'pending')
        expect((await ask(urls[0] ?? '', others)) === large(others)).toBe(true)
      }
      expect(JSON.parse(await (await slow).rest()).result === large(params)).toBe(true)
      await left
      expect(node.received.length).toBeGreaterThan(before)
    }
  })

  it('are whole in a batch and over a WebSocket', async () => {
    const params = BYTES.map((bytes, each) => paramsOf(bytes, each, 'pending'))
    const calls = params.map((each, id) => ({ jsonrpc: '2.0', id, method: 'eth_call', params: each }))
    const socket = await SocketCaller.open(urls[0] ?? '')
    for (let round = 0; round < ROUNDS; round++) {
      const response = await fetch(urls[0] ?? '', post(calls))
      const answers = (await response.json()) as { result: string }[]
      expect(answers.map(({ result }, each) => result === large(params[each] ?? []))).toEqual(BYTES.map(() => true))
      const overSocket = await Promise.all(params.map((each) => socket.ask<string>('eth_call', ...each)))
      expect(overSocket.map((result, each) => result === large(params[each] ?? []))).toEqual(BYTES.map(() => true))
    }
    socket.close()
  })
})

function resultOf({ method, params }: ReceivedCall): unknown {
  if (method === 'eth_getBlockByNumber') return BLOCK
  return method === 'eth_call' ? large(params) : (CHAIN[method] ?? null)
}

/** A text of the length that the address begins with, which no other call has. */
function large([call]: readonly unknown[]): string {
  const { to } = call as { to: string }
  return `0x${to.slice(2).repeat(Math.ceil(Number(`0x${to.slice(2, 10)}`) / 40))}`
}

function paramsOf(bytes: number, nonce: number, block: string): readonly unknown[] {
  return [{ to: `0x${bytes.toString(16).padStart(8, '0')}${nonce.toString(16).padStart(32, '0')}` }, block]
}

function post(body: unknown, signal?: AbortSignal): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal: signal ?? null }
}

async function ask(url: string, params: readonly unknown[], signal?: AbortSignal): Promise<string> {
  const response = await fetch(url, post({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }, signal))
  return ((await response.json()) as { result: string }).result
}

/** Has the head of the answer, and reads the rest when told. */
async function askSlowly(url: string, params: readonly unknown[]) {
  const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } })
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }))
  const [response] = await once(sent, 'response')
  return { rest: async () => Buffer.concat(await response.toArray()).toString() }
}

const WORD = `0x${'0'.repeat(64)}`
const BLOCK = {
  number: '0x1',
  hash: WORD.replace(/0$/, '1'),
  parentHash: WORD,
  sha3Uncles: WORD,
  miner: `0x${'0'.repeat(40)}`,
  stateRoot: WORD,
  transactionsRoot: WORD,
  receiptsRoot: WORD,
  logsBloom: `0x${'0'.repeat(512)}`,
  difficulty: '0x0',
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  timestamp: '0x64',
  extraData: '0x',
  mixHash: WORD,
  nonce: '0x0000000000000000',
  baseFeePerGas: '0x7',
  transactions: [],
}
