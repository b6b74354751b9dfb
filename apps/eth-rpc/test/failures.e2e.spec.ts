import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { jest } from '@jest/globals'
import { userDeleted } from '@trestle/contracts/accounts/messages'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { callJson } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { Pool } from 'pg'
import { WebSocket } from 'ws'
import { callOf, postCall } from './exchange.js'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { spawnGateway } from './spawned-gateway.js'

// One starts a process of its own.
jest.setTimeout(120_000)

const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
/** Reverts with nothing, as the code of a contract to be. */
const REVERTING = { from: ADDRESS, data: '0x60006000fd' }
const REVERT = callOf('eth_call', [REVERTING, 'latest'])

let anvils: TestAnvils
let gateway: EthRpcUnderTest
let sql: Pool
beforeAll(async () => {
  anvils = await startAnvils()
  gateway = await startEthRpcUnderTest(anvils.nodes.map(({ url, webSocketUrl }) => `anvil=${url}+${webSocketUrl}`).join())
  const environment: Record<string, string> = gateway.environment
  sql = new Pool({ connectionString: environment['DATABASE_URL'], max: 1 })
})
afterAll(async () => {
  await sql.end()
  await gateway.stop()
  await anvils.stop()
})

describe('a call that fails', () => {
  it('is found by the request id of its answer: request, error, node and time', async () => {
    const url = await gateway.project()
    const { headers, text } = await postCall(url, callOf('eth_call', [REVERTING, 'latest'], 'mine'))
    const requestId = headers.get('x-request-id') as string
    expect(headers.get('access-control-expose-headers')).toContain('x-request-id')
    expect(await foundOf(url, requestId)).toEqual([
      {
        id: expect.any(String),
        time: expect.any(String),
        requestId,
        method: 'eth_call',
        code: 3,
        kind: 'reverted',
        ms: expect.any(Number),
        request: { id: '"mine"', params: [REVERTING, 'latest'] },
        error: { message: JSON.parse(text).error.message, data: '0x' },
        upstream: 'anvil',
      },
    ])
  })

  it('counts by method, code and hour, whether it is one of a batch or alone', async () => {
    const url = await gateway.project()
    const batch = [
      REVERT,
      callOf('eth_chainId'),
      callOf('eth_getBalance', ['0x1']),
      callOf('eth_mine', []),
      '{"id":1}',
      callOf('eth_chainId'),
    ]
    const { headers, text } = await postCall(url, `[${batch.join()}]`, { 'x-request-id': 'a-batch-of-mine' })
    expect(headers.get('x-request-id')).toBe('a-batch-of-mine')
    expect(JSON.parse(text).map(({ error }: { error?: { code: number } }) => error?.code)).toEqual([
      3,
      undefined,
      -32602,
      -32601,
      -32600,
      undefined,
    ])
    await postCall(url, REVERT)
    await postCall(url, 'no json')
    const counted = await eventually(async () => {
      const errors = await errorsOf(url)
      return errors.length === 5 && errors.some(({ count }) => count === 2) ? errors : undefined
    }, 'all are counted')
    expect(counted.map(({ method, code, kind, count }) => [method, code, kind, count])).toEqual([
      ['eth_call', 3, 'reverted', 2],
      ['eth_getBalance', -32602, 'invalid', 1],
      ['unknown', -32700, 'invalid', 1],
      ['unknown', -32601, 'unserved', 1],
      ['unknown', -32600, 'invalid', 1],
    ])
    const found = await foundOf(url, 'a-batch-of-mine')
    expect(found.map(({ method, code }) => [method, code]).sort()).toEqual(
      [
        ['eth_call', 3],
        ['eth_getBalance', -32602],
        ['eth_mine', -32601],
        ['unknown', -32600],
      ].sort(),
    )
  })

  it('over a WebSocket is found by the id of the request that opened it', async () => {
    const url = await gateway.project()
    const socket = new WebSocket(url.replace('http', 'ws'))
    const [[answer]] = await Promise.all([once(socket, 'upgrade'), once(socket, 'open')])
    const requestId = answer.headers['x-request-id']
    expect(requestId).toMatch(/^[\w.-]{8,64}$/)
    socket.send(callOf('eth_call', [REVERTING, 'latest'], 7))
    await once(socket, 'message')
    socket.close()
    expect(await foundOf(url, requestId)).toMatchObject([{ method: 'eth_call', code: 3, request: { id: '7' } }])
  })

  it('is listed newest first, by method or code, page by page', async () => {
    const url = await gateway.project()
    for (const method of ['eth_a', 'eth_b', 'eth_c']) await postCall(url, callOf(method, []))
    await postCall(url, REVERT)
    await eventually(async () => (await failuresOf(url)).body.length === 4 || undefined, 'all are there')
    expect((await failuresOf(url, '?method=eth_b')).body.map(({ method }: { method: string }) => method)).toEqual(['eth_b'])
    expect((await failuresOf(url, '?code=3')).body).toMatchObject([{ method: 'eth_call' }])
    const first = await failuresOf(url, '?limit=3&code=-32601')
    expect(first.headers.get('link')).toBeNull()
    const page = await failuresOf(url, '?limit=2')
    expect(page.body.map(({ method }: { method: string }) => method)).toEqual(['eth_call', 'eth_c'])
    const [, next] = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? []
    const rest = await callJson(`${gateway.service.url}${next}`, { token: gateway.token })
    expect(rest.body.map(({ method }: { method: string }) => method)).toEqual(['eth_b', 'eth_a'])
    expect(rest.headers.get('link')).toBeNull()
    expect(await failuresOf(url, '?cursor=x')).toMatchObject({ status: 400, body: { code: 'InvalidCursor' } })
    expect(await failuresOf(url, '?code=x')).toMatchObject({ status: 400 })
    expect(await failuresOf(url, '/no-such-request')).toMatchObject({ status: 404, body: { code: 'UnknownFailure' } })
  })

  it('at the limit of its project is limited', async () => {
    const url = await gateway.project({ limits: { perSecond: 1 } })
    await postCall(url, callOf('eth_estimateGas', [{}]))
    const refused = await postCall(url, callOf('eth_blockNumber'))
    expect(refused.status).toBe(429)
    expect(await foundOf(url, refused.headers.get('x-request-id') as string)).toMatchObject([
      { method: 'eth_blockNumber', code: -32005, kind: 'limited', error: { data: { limit: 1 } } },
    ])
  })
})

describe('a sample', () => {
  it('has no key, password, or bytes of a transaction', async () => {
    const url = await gateway.project()
    const key = randomBytes(32).toString('hex')
    const raw = `0x02f8${randomBytes(100).toString('hex')}`
    const calls = [
      callOf('personal_importRawKey', [key, 'correct horse']),
      callOf('eth_getBalance', [`0x${key}`, 'latest']),
      callOf('eth_call', [{ ...REVERTING, privateKey: `0x${key}`, password: 'correct horse' }, 'latest']),
      callOf('eth_sendRawTransaction', [raw]),
      callOf('eth_getBalance', ['Bearer correct horse']),
    ]
    for (const call of calls) await postCall(url, call, { authorization: 'Bearer correct horse' })
    const { text, body } = await eventually(async () => {
      const listed = await failuresOf(url)
      return listed.body.length === calls.length ? listed : undefined
    }, 'all are there')
    for (const secret of [key, raw.slice(2, 60), 'correct', 'horse']) expect(text.toLowerCase()).not.toContain(secret)
    const sent = body.find(({ method }: { method: string }) => method === 'eth_sendRawTransaction')
    expect(sent.request.params).toEqual([{ transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/), bytes: 102 }])
  })

  it('is not made of what a stranger without a token sends: that is only counted', async () => {
    const url = await gateway.project({ requireToken: true })
    for (const headers of [undefined, { authorization: 'Bearer nonsense' }]) expect((await postCall(url, REVERT, headers)).status).toBe(401)
    await postCall(url, REVERT, { authorization: `Bearer ${gateway.token}` })
    await eventually(async () => (await errorsOf(url)).length === 2 || undefined, 'all are counted')
    expect(await errorsOf(url)).toMatchObject([
      { method: 'eth_call', code: 3, count: 1 },
      { method: 'unknown', code: -32016, kind: 'refused', count: 2 },
    ])
    expect((await failuresOf(url)).body).toMatchObject([{ method: 'eth_call' }])
  })

  it('is not made where the project wants none, and deleted when it does not any more', async () => {
    const url = await gateway.project()
    await postCall(url, REVERT)
    await eventually(async () => (await failuresOf(url)).body.length === 1 || undefined, 'there is one')
    const change = await callJson(managed(url), { method: 'PATCH', token: gateway.token, body: { failureSamples: false } })
    expect(change.body.failureSamples).toBe(false)
    expect((await failuresOf(url)).body).toEqual([])
    await postCall(url, REVERT)
    await eventually(async () => (await errorsOf(url))[0]?.count === 2 || undefined, 'it is counted')
    expect((await failuresOf(url)).body).toEqual([])
    const again = await callJson(managed(url), { method: 'PATCH', token: gateway.token, body: { failureSamples: true } })
    expect(again.body).not.toHaveProperty('failureSamples')
  })

  it('is for those who may read the project alone', async () => {
    const url = await gateway.project()
    for (const path of ['/errors', '/failures', '/failures/request-1']) {
      const stranger = await callJson(managed(url) + path, { token: gateway.issuer.account() })
      expect([stranger.status, stranger.body.code]).toEqual([404, 'UnknownProject'])
      expect((await callJson(managed(url) + path)).status).toBe(401)
      const caller = gateway.issuer.client({ payload: { scope: 'eth:call' } })
      expect((await callJson(managed(url) + path, { token: caller })).status).toBe(403)
    }
  })

  it.each(['its project', 'the account of its owner'])('is gone with %s', async (what) => {
    const token = gateway.issuer.account({ payload: { sub: `user-${randomUUID()}` } })
    const url = await gateway.project({}, { owner: token })
    await postCall(url, REVERT)
    await eventually(async () => (await failuresOf(url, '', token)).body.length === 1 || undefined, 'there is one')
    const { body } = await callJson(managed(url), { token })
    const { rows } = await sql.query<{ serial: number }>('SELECT serial FROM eth.project WHERE id = $1', [body.id])
    if (what === 'its project') await callJson(managed(url), { method: 'DELETE', token })
    else await gateway.publish(userDeleted, { userId: body.user, deletedAt: new Date().toISOString() })
    const count =
      'SELECT (SELECT count(*) FROM eth.failed_call WHERE project = $1) + (SELECT count(*) FROM eth.failure_hour WHERE project = $1) AS left'
    await eventually(async () => (await sql.query(count, [rows[0]?.serial])).rows[0].left === '0' || undefined, 'nothing is left')
  })
})

it('a process that is killed loses no failure that was written, and at most a second of others', async () => {
  const url = await gateway.project()
  const spawned = await spawnGateway(gateway.environment, 1)
  const there = spawned.url + new URL(url).pathname
  try {
    for (let i = 0; i < 10; i++) await postCall(there, REVERT)
    await eventually(async () => (await errorsOf(url))[0]?.count === 10 || undefined, 'what failed is written')
    for (let i = 0; i < 10; i++) await postCall(there, REVERT)
  } finally {
    await spawned.stop()
  }
  const [{ count } = { count: 0 }] = await errorsOf(url)
  expect(count).toBeGreaterThanOrEqual(10)
  expect(count).toBeLessThanOrEqual(20)
})

interface ListedError {
  readonly method: string
  readonly code: number
  readonly kind: string
  readonly count: number
}

/** By method, then code. */
async function errorsOf(url: string): Promise<ListedError[]> {
  const { body } = await callJson(`${managed(url)}/errors`, { token: gateway.token })
  return body.errors.sort((a: ListedError, b: ListedError) => a.method.localeCompare(b.method) || a.code - b.code)
}

function failuresOf(url: string, query = '', token = gateway.token) {
  return callJson(`${managed(url)}/failures${query}`, { token })
}

/** The samples of a request, once they are written. */
function foundOf(url: string, requestId: string): Promise<{ method: string; code: number }[]> {
  return eventually(async () => {
    const { status, body } = await failuresOf(url, `/${requestId}`)
    return status === 200 ? body : undefined
  }, 'the failure is found')
}

/** Where the project of this address is managed. */
function managed(url: string): string {
  return url.replace('/v1/', '/projects/')
}
