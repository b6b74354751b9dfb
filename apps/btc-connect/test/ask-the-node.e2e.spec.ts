import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@trestle/testing/eventually'
import { startDeployment, type TestDeployment } from './deployment.js'

let deployment: TestDeployment

beforeAll(async () => {
  deployment = await startDeployment({ coin: 'ltc', settings: { STAND_IN: 'Litecoin Core, for want of Bitcoin Core' } })
  await deployment.chain.mine(110)
})

afterAll(() => deployment.stop())

describe('POST /tx/send', () => {
  it('broadcasts a transaction and returns its id', async () => {
    const rawtx = await signedPayment()
    const { status, body } = await deployment.post('/tx/send', { rawtx })
    expect(status).toBe(200)
    expect(await deployment.chain.rpc('getrawmempool')).toContain(body.txid)
  })

  it('is recorded before it is answered, without the transaction', async () => {
    const token = deployment.accounts.issuer.client({ payload: { sub: 'user-00000000-0000-4000-8000-000000000001' } })
    const rawtx = await signedPayment()
    await deployment.post('/tx/send', { rawtx }, { token })
    const { rows } = await deployment.sql.query(`SELECT payload FROM outbox WHERE payload::text LIKE '%tx/send%' ORDER BY seq DESC LIMIT 1`)
    expect(rows[0].payload.activities).toEqual([
      expect.objectContaining({
        user: 'user-00000000-0000-4000-8000-000000000001',
        service: 'ltc',
        input: { method: 'POST', route: '/api/v1/tx/send', params: {}, query: {} },
        output: expect.objectContaining({ httpStatusCode: 200 }),
      }),
    ])
    expect(JSON.stringify(rows[0].payload)).not.toContain(rawtx)
    await eventually(
      async () => deployment.accounts.activities.find(({ input }) => input.route === '/api/v1/tx/send'),
      'accounts hears of it',
    )
  })

  it("passes on the node's reason and code", async () => {
    const rawtx = await signedPayment()
    const { body } = await deployment.post('/tx/send', { rawtx })
    await deployment.chain.mine(1)
    const again = await deployment.post('/tx/send', { rawtx })
    expect(again).toMatchObject({
      status: 400,
      body: { code: 'TransactionRefused', detail: 'Transaction already in block chain. Code:-27' },
    })
    expect(body.txid).toMatch(/^[0-9a-f]{64}$/)
  })

  it('passes on the reason of a policy', async () => {
    const [coin] = await deployment.chain.rpc<{ txid: string; vout: number; amount: number }[]>('listunspent')
    const address = await deployment.chain.rpc<string>('getnewaddress')
    const raw = await deployment.chain.rpc('createrawtransaction', [coin], [{ [address]: coin!.amount }])
    const { hex } = await deployment.chain.rpc<{ hex: string }>('signrawtransactionwithwallet', raw)
    const { status, body } = await deployment.post('/tx/send', { rawtx: hex })
    expect(status).toBe(400)
    expect(body.detail).toMatch(/^min relay fee not met.*\. Code:-26$/)
  })

  it.each([
    ['nothing', ''],
    ['no hex', 'zz'],
    ['half a byte', 'abc'],
    ['no transaction', '00'.repeat(60)],
  ])('refuses %s as a node does', async (_, rawtx) => {
    const { status, body } = await deployment.post('/tx/send', { rawtx })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'TransactionRefused', detail: expect.stringMatching(/^TX decode failed.* Code:-22$/) })
    expect(body.error).toBe(body.detail)
  })

  it.each([
    ['no body', undefined, 400, 'InvalidInput'],
    ['a number', { rawtx: 12 }, 400, 'InvalidInput'],
    ['more than any node relays', { rawtx: '00'.repeat(500_001) }, 413, 'TransactionTooLarge'],
    ['a body beyond all bounds', { rawtx: '00'.repeat(600_000) }, 413, 'BodyTooLarge'],
  ])('refuses %s', async (_, body, status, code) => {
    expect(await deployment.post('/tx/send', body)).toMatchObject({ status, body: { code } })
  })
})

describe('GET /rawtx and /rawblock', () => {
  it('returns what the node has', async () => {
    const [hash = ''] = await deployment.chain.mine(1)
    const { tx } = await deployment.chain.rpc<{ tx: string[] }>('getblock', hash)
    expect((await deployment.get(`/rawblock/${hash}`)).body).toEqual({ rawblock: await deployment.chain.rpc('getblock', hash, 0) })
    expect((await deployment.get(`/rawtx/${tx[0]}`)).body).toEqual({ rawtx: await deployment.chain.rpc('getrawtransaction', tx[0]) })
  })

  it('can be cached, because what has a hash never changes', async () => {
    const hash = await deployment.chain.rpc<string>('getbestblockhash')
    const first = await deployment.get(`/rawblock/${hash.toUpperCase()}`)
    expect(first.headers.get('cache-control')).toBe('private, max-age=86400')
    const again = await deployment.get(`/rawblock/${hash}`, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect(again).toMatchObject({ status: 304, text: '' })
  })

  it.each(['/rawblock/0', '/rawblock/zz', `/rawblock/${'00'.repeat(32)}`, `/rawblock/${'00'.repeat(31)}`, `/rawtx/${'00'.repeat(32)}`])(
    'does not find %s',
    async (path) => {
      expect(await deployment.get(path)).toMatchObject({ status: 404, body: { code: 'NotFound', detail: 'Not found', error: 'Not found' } })
    },
  )

  it.each([
    ['zz', "parameter 1 must be of length 64 (not 2, for 'zz'). Code:-8"],
    ['z'.repeat(64), `parameter 1 must be hexadecimal string (not '${'z'.repeat(64)}'). Code:-8`],
  ])('refuses the transaction id %s in the words of the node', async (id, detail) => {
    expect(await deployment.get(`/rawtx/${id}`)).toMatchObject({ status: 400, body: { detail } })
  })
})

describe('GET /utils/estimatefee', () => {
  it('returns -1 for each requested number while the node has no estimate', async () => {
    expect((await deployment.get('/utils/estimatefee')).text).toBe('{"2":-1}')
    expect((await deployment.get('/utils/estimatefee?nbBlocks=2,6,1008')).text).toBe('{"2":-1,"6":-1,"1008":-1}')
  })

  it.each(['0', '1009', '-1', '2,', 'two', '1e1', '2.5'])('refuses %s in the words of the node', async (nbBlocks) => {
    expect(await deployment.get(`/utils/estimatefee?nbBlocks=${nbBlocks}`)).toMatchObject({
      status: 400,
      body: { detail: 'Invalid conf_target, must be between 1 and 1008. Code:-8' },
    })
  })
})

describe('GET /status', () => {
  it.each(['/status', '/status?q=getInfo', '/status?q=something'])('returns node and network at %s', async (path) => {
    const { text, body } = await deployment.get(path)
    expect(body.info).toEqual({
      version: 210201,
      protocolversion: expect.any(Number),
      blocks: await deployment.chain.rpc('getblockcount'),
      timeoffset: 0,
      connections: 0,
      proxy: '',
      difficulty: expect.any(Number),
      testnet: false,
      relayfee: 0.00001,
      errors: '',
      network: 'regtest',
      standIn: 'Litecoin Core, for want of Bitcoin Core',
    })
    expect(text).toMatch(/"difficulty":0\.000000000465\d+,/)
    expect(text).toMatch(/"relayfee":0\.00001,/)
  })

  it('returns one value if one is requested', async () => {
    const best = await deployment.chain.rpc('getbestblockhash')
    expect((await deployment.get('/status?q=getBestBlockHash')).body).toEqual({ bestblockhash: best })
    expect((await deployment.get('/status?q=getLastBlockHash')).body).toMatchObject({ lastblockhash: best })
    expect((await deployment.get('/status?q=getDifficulty')).text).toMatch(/^\{"difficulty":0\.0000000004656/)
  })
})

describe('GET /peer and /version', () => {
  it('reports that there is a node, and not where', async () => {
    expect((await deployment.get('/peer')).body).toEqual({ connected: true, host: '127.0.0.1', port: null })
  })

  it('names the chain that it serves, and what stands in for the node', async () => {
    expect((await deployment.get('/version')).body).toEqual({
      version: '0.1.0',
      chain: 'ltc',
      network: 'regtest',
      standIn: 'Litecoin Core, for want of Bitcoin Core',
    })
  })
})

describe('while the node is away', () => {
  beforeAll(async () => {
    // What was asked a moment ago is still known.
    await delay(5_100)
    await deployment.chain.kill()
  })

  afterAll(() => deployment.chain.start())

  it.each([
    '/status',
    '/status?q=getDifficulty',
    '/utils/estimatefee?nbBlocks=3',
    `/rawblock/${'01'.repeat(32)}`,
    `/rawtx/${'01'.repeat(32)}`,
  ])('answers %s with 503', async (path) => {
    const { status, body, headers } = await deployment.get(path)
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'NodeUnavailable' })
    expect(headers.get('retry-after')).toBe('5')
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN/)
  })

  it('sends nothing', async () => {
    expect(await deployment.post('/tx/send', { rawtx: '00' })).toMatchObject({ status: 503 })
  })

  it('says so, and still reports the progress of the index', async () => {
    expect((await deployment.get('/peer')).body).toMatchObject({ connected: false })
    expect((await deployment.get('/sync')).status).toBe(200)
  })
})

async function signedPayment(): Promise<string> {
  const { chain } = deployment
  const [coin] = await chain.rpc<{ txid: string; vout: number; amount: number }[]>('listunspent')
  const amount = Number((coin!.amount - 0.001).toFixed(8))
  const raw = await chain.rpc('createrawtransaction', [coin], [{ [await chain.rpc<string>('getnewaddress')]: amount }])
  return (await chain.rpc<{ hex: string }>('signrawtransactionwithwallet', raw)).hex
}
