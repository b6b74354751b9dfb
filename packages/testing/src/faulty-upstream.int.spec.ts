import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startAnvils, type TestAnvils } from './anvils.js'
import type { Fault } from './faults.js'
import { type FaultyUpstream, startFaultyUpstream } from './faulty-upstream.js'

const BLOCK_NUMBER = { jsonrpc: '2.0', id: 7, method: 'eth_blockNumber', params: [] }
const CHAIN_ID = { jsonrpc: '2.0', id: 8, method: 'eth_chainId', params: [] }

describe(startFaultyUpstream, () => {
  let anvils: TestAnvils
  let upstream: FaultyUpstream

  beforeAll(async () => {
    anvils = await startAnvils()
    await anvils.mine(5)
    upstream = await startFaultyUpstream(anvils.nodes[0]!)
  })
  afterEach(() => upstream.heal())
  afterAll(async () => {
    await upstream.stop()
    await anvils.stop()
  })

  it('forwards responses while there is no fault, and counts requests', async () => {
    upstream.forget()
    expect(await ask(BLOCK_NUMBER)).toEqual({ jsonrpc: '2.0', id: 7, result: '0x5' })
    expect(await ask([BLOCK_NUMBER, CHAIN_ID])).toEqual([
      { jsonrpc: '2.0', id: 7, result: '0x5' },
      { jsonrpc: '2.0', id: 8, result: '0x7a69' },
    ])
    expect([upstream.tally, upstream.requests]).toEqual([{ eth_blockNumber: 2, eth_chainId: 1 }, 2])
  })

  it.each<[Fault, unknown]>([
    [{ kind: 'null' }, { jsonrpc: '2.0', id: 7, result: null }],
    [{ kind: 'neither' }, { jsonrpc: '2.0', id: 7 }],
    [{ kind: 'wrong-id' }, { jsonrpc: '2.0', id: 'not-yours', result: '0x5' }],
    [{ kind: 'result-and-error' }, expect.objectContaining({ result: '0x5', error: expect.anything() })],
    [{ kind: 'error', code: -32_005, message: 'slow down' }, expect.objectContaining({ error: { code: -32_005, message: 'slow down' } })],
    [{ kind: 'huge', bytes: 1e6 }, expect.objectContaining({ result: `0x${'0'.repeat(1e6)}` })],
    [
      { kind: 'slow', ms: 1 },
      { jsonrpc: '2.0', id: 7, result: '0x5' },
    ],
    [
      { kind: 'wrong-chain', chainId: 5 },
      { jsonrpc: '2.0', id: 7, result: '0x5' },
    ],
  ])('responds as %j', async (fault, answer) => {
    await upstream.fail(fault)
    expect(await ask(BLOCK_NUMBER)).toEqual(answer)
  })

  it.each<[Fault, string | RegExp]>([
    [{ kind: 'html' }, '<html><body><h1>Welcome</h1></body></html>'],
    [{ kind: 'empty' }, ''],
    [{ kind: 'nan' }, '{"jsonrpc":"2.0","id":7,"result":NaN}'],
    [{ kind: 'truncated' }, '{"jsonrpc":"2.0","i'],
    [{ kind: 'invalid-utf8' }, /\ufffd\ufffd/],
  ])('sends the text of %j', async (fault, text) => {
    await upstream.fail(fault)
    expect(await (await post(BLOCK_NUMBER)).text()).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
  })

  it.each<[Fault, unknown[]]>([
    [{ kind: 'rate-limited', retryAfter: '2' }, [429, '2']],
    [{ kind: 'rate-limited' }, [429, null]],
    [{ kind: 'status', status: 502 }, [502, null]],
  ])('refuses as %j', async (fault, expected) => {
    await upstream.fail(fault)
    const { status, headers } = await post(BLOCK_NUMBER)
    expect([status, headers.get('retry-after')]).toEqual(expected)
  })

  it.each<Fault['kind']>(['hanging', 'endless'])('has no end when it is %s', async (kind) => {
    await upstream.fail({ kind } as Fault)
    const answer = post(BLOCK_NUMBER, AbortSignal.timeout(100)).then((response) => response.text())
    await expect(answer).rejects.toThrow('aborted due to timeout')
  })

  it('resets the connection in the middle of a response', async () => {
    await upstream.fail({ kind: 'reset' })
    const answer = await post(BLOCK_NUMBER)
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow('terminated')
  })

  it('closes its port, and comes back on it', async () => {
    await upstream.fail({ kind: 'dead' })
    await expect(post(BLOCK_NUMBER)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    await upstream.heal()
    expect(await ask(BLOCK_NUMBER)).toMatchObject({ result: '0x5' })
  })

  it('corrupts batches', async () => {
    await upstream.fail({ kind: 'out-of-order' })
    expect(await ask([BLOCK_NUMBER, CHAIN_ID])).toMatchObject([{ id: 8 }, { id: 7 }])
    await upstream.fail({ kind: 'short-batch' })
    expect(await ask([BLOCK_NUMBER, CHAIN_ID])).toMatchObject([{ id: 8 }])
    await upstream.fail({ kind: 'single-for-batch' })
    expect(await ask([BLOCK_NUMBER, CHAIN_ID])).toMatchObject({ id: null })
  })

  it('fails for some methods only, and a number of times only', async () => {
    await upstream.fail({ kind: 'wrong-chain', chainId: 5 }, { methods: ['eth_chainId'], times: 1 })
    expect(await ask(BLOCK_NUMBER)).toMatchObject({ result: '0x5' })
    expect(await ask(CHAIN_ID)).toMatchObject({ result: '0x5' })
    expect(await ask(CHAIN_ID)).toMatchObject({ result: '0x7a69' })
  })

  it('serves an older chain when it is stale, without new blocks', async () => {
    await upstream.fail({ kind: 'stale', behind: 2 })
    const hash = await anvils.send()
    await anvils.mine()
    expect(await ask(BLOCK_NUMBER)).toMatchObject({ result: '0x3' })
    expect(await call('eth_getBlockByNumber', 'latest', false)).toMatchObject({ result: { number: '0x3' } })
    expect(await call('eth_getBlockByNumber', '0x4', false)).toMatchObject({ result: null })
    expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({ result: null })
    expect(await call('eth_getBalance', anvils.accounts[0], '0x4')).toMatchObject({ error: { message: 'header not found' } })
    expect(await call('eth_getLogs', { fromBlock: '0x0' })).toMatchObject({ result: [] })
    await upstream.heal()
    expect(await ask(BLOCK_NUMBER)).toMatchObject({ result: '0x6' })
  })

  describe('as a WebSocket', () => {
    let socket: WebSocket
    let heard: { id?: number; method?: string; result?: unknown; params?: { result: { number: string } } }[]

    beforeEach(async () => {
      heard = []
      socket = new WebSocket(upstream.webSocketUrl)
      socket.on('message', (text) => heard.push(JSON.parse(String(text))))
      await once(socket, 'open')
    })
    afterEach(() => socket.terminate())

    it('forwards responses and notifications, and is counted', async () => {
      upstream.forget()
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
      await until(() => heard.length === 1)
      await anvils.mine()
      await until(() => heard.some(({ method }) => method === 'eth_subscription'))
      expect([upstream.asked('eth_subscribe'), upstream.webSockets]).toEqual([1, 1])
    })

    it('is silent while the node hangs or is stale', async () => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
      await until(() => heard.length === 1)
      // A slow node may announce the block of the previous test only now.
      const head = Number(await anvils.nodes[0]!.rpc.call<string>('eth_blockNumber'))
      await upstream.fail({ kind: 'hanging' })
      socket.send(JSON.stringify(BLOCK_NUMBER))
      await anvils.mine()
      await upstream.fail({ kind: 'stale', behind: 1 })
      await anvils.mine()
      await delay(50)
      expect(heard.slice(1).filter(({ params }) => !(Number(params?.result.number) <= head))).toEqual([])
      await upstream.heal()
      socket.send(JSON.stringify(BLOCK_NUMBER))
      await until(() => heard.some(({ id }) => id === 7))
    })

    it('is corrupted like responses over HTTP', async () => {
      await upstream.fail({ kind: 'wrong-chain', chainId: 5 })
      socket.send(JSON.stringify(CHAIN_ID))
      await until(() => heard.length === 1)
      expect(heard).toEqual([{ jsonrpc: '2.0', id: 8, result: '0x5' }])
    })

    it('is closed when the node dies, or on demand', async () => {
      const cut = once(socket, 'close')
      upstream.cutWebSockets()
      await cut
      const refused = async () => {
        const second = new WebSocket(upstream.webSocketUrl)
        const [error] = await once(second, 'error')
        return (error as Error).message
      }
      await upstream.fail({ kind: 'rate-limited' })
      expect(await refused()).toBe('Unexpected server response: 429')
      await upstream.fail({ kind: 'dead' })
      expect(await refused()).toContain('ECONNREFUSED')
      expect(upstream.webSockets).toBe(0)
    })
  })

  function post(body: object, signal?: AbortSignal): Promise<Response> {
    return fetch(upstream.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal })
  }

  async function ask(body: object): Promise<unknown> {
    return (await post(body)).json()
  }

  function call(method: string, ...params: unknown[]): Promise<unknown> {
    return ask({ jsonrpc: '2.0', id: 1, method, params })
  }
})

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(5)
}
