import { randomUUID } from 'node:crypto'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'

// A project with a list of addresses is served through Fastify.
const THROUGH_FASTIFY = { allowedIps: ['0.0.0.0/0', '::/0'] }

const BODIES = {
  'a call': '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",true]}',
  'the same again': '{"jsonrpc":"2.0","id":"é","method":"eth_getBlockByNumber","params":["0x1",true]}',
  'a notification': '{"jsonrpc":"2.0","method":"eth_blockNumber"}',
  'a batch': '[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_sign"},1]',
  'what is no JSON': '{',
  'a method that is not served': '{"jsonrpc":"2.0","id":1,"method":"debug_traceCall","params":[]}',
  'params that are wrong': '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x1","nonsense"]}',
  'a large body': `{"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x${'ab'.repeat(40_000)}"]}`,
}

describe('the fast path', () => {
  let anvils: TestAnvils
  let gateway: EthRpcUnderTest
  let urls: readonly string[]

  beforeAll(async () => {
    anvils = await startAnvils({ count: 1 })
    await anvils.mine(3)
    gateway = await startEthRpcUnderTest(anvils.nodes.map(({ url }) => url).join(','))
    urls = [await gateway.project(), await gateway.project(THROUGH_FASTIFY)]
    // From here on both projects are in memory.
    for (const url of urls) await post(url, BODIES['a call'])
  })
  afterAll(async () => {
    await gateway.stop()
    await anvils.stop()
  })

  it.each(Object.entries(BODIES))('answers %s as Fastify does', async (_, body) => {
    const [fast, slow] = await Promise.all(urls.map((url) => post(url, body)))
    expect(fast).toEqual(slow)
  })

  it('answers a call over a limit like Fastify', async () => {
    const limits = { perSecond: 1, perDay: 1 }
    const poor = [await gateway.project({ limits }), await gateway.project({ limits, ...THROUGH_FASTIFY })]
    const answers = await Promise.all(
      poor.map(async (url) => {
        await post(url, BODIES['a call'])
        return post(url, BODIES['a call'])
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.status).toBe(429)
  })

  describe('to a project that requires a token', () => {
    let guarded: readonly string[]
    let owner: { payload: { sub: string } }

    beforeAll(async () => {
      guarded = [await gateway.project({ requireToken: true }), await gateway.project({ requireToken: true, ...THROUGH_FASTIFY })]
      owner = { payload: { sub: JSON.parse(Buffer.from(gateway.token.split('.')[1]!, 'base64url').toString()).sub } }
    })

    it('answers a call with a verified token like Fastify', async () => {
      const authorization = `Bearer ${gateway.issuer.client(owner)}`
      await expectAlike(authorization, 200)
      await expectAlike(authorization, 200)
    })

    it('refuses the token of another user however often it comes', async () => {
      const authorization = `Bearer ${gateway.issuer.client()}`
      await expectAlike(authorization, 403)
      await expectAlike(authorization, 403)
    })

    it('refuses a token that was verified before and is revoked', async () => {
      const key = `client-${randomUUID()}`
      const authorization = `Bearer ${gateway.issuer.client({ payload: { ...owner.payload, client_id: key } })}`
      await expectAlike(authorization, 200)
      gateway.revoke({ kind: 'client', id: key, epoch: 6 })
      await eventually(
        async () => (await post(guarded[0]!, BODIES['a call'], { authorization })).status === 401 || undefined,
        'the revocation arrives',
      )
      await expectAlike(authorization, 401)
    })

    it('holds a client key to its allowed addresses, as the trusted proxies report them', async () => {
      const authorization = tokenWith({ ip: ['192.0.2.0/24'] })
      await expectAlike(authorization, 403)
      await expectAlike(authorization, 200, { 'x-forwarded-for': '192.0.2.9' })
      await expectAlike(authorization, 403, { 'x-forwarded-for': '192.0.2.9, 198.51.100.1' })
    })

    it('holds a client key to its requests a day, on both ways together', async () => {
      const authorization = tokenWith({ d: 4 })
      await expectAlike(authorization, 200)
      await expectAlike(authorization, 200)
      await expectAlike(authorization, 429)
    })

    function tokenWith(lim: object): string {
      return `Bearer ${gateway.issuer.client({ payload: { ...owner.payload, client_id: `client-${randomUUID()}`, lim } })}`
    }

    async function expectAlike(authorization: string, status: number, headers: Record<string, string> = {}): Promise<void> {
      const [fast, slow] = await Promise.all(guarded.map((url) => post(url, BODIES['a call'], { authorization, ...headers })))
      expect(fast).toEqual(slow)
      expect(fast?.status).toBe(status)
    }
  })

  it('keeps the given request id', async () => {
    const headers = { 'content-type': 'application/json', 'x-request-id': 'given-by-the-caller' }
    const answer = await fetch(urls[0]!, { method: 'POST', headers, body: BODIES['a call'] })
    expect(answer.headers.get('x-request-id')).toBe('given-by-the-caller')
  })

  /** All there is to an answer, but what is of this one alone. */
  async function post(url: string, body: string, more: Record<string, string> = {}) {
    const headers = { 'content-type': 'application/json', ...more }
    const answer = await fetch(url, { method: 'POST', headers, body })
    const { date, 'x-request-id': id, ...told } = Object.fromEntries(answer.headers)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    return { status: answer.status, headers: told, text: await answer.text() }
  }
})
