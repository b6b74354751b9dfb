import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { Pool } from 'pg'
import { callOf, postCall } from './exchange.js'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { callRpc } from './json-rpc.js'
import { callManagement } from './management.js'
import { SocketCaller } from './socket-caller.js'

const PROMPTLY_MS = 2_000

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

describe('a key of a project', () => {
  it('is shown once, then listed by number, name and last four digits', async () => {
    const { id, manage } = await project()
    const { status, body } = await manage('POST', '/keys', { name: ' mobile ', expiresAt: '2126-01-01T00:00:00Z' })
    expect(status).toBe(201)
    const described = {
      ...{ number: 1, name: 'mobile', lastFour: body.key.slice(-4), createdAt: expect.any(String) },
      ...{ createdBy: expect.stringMatching(/^user-/), expiresAt: '2126-01-01T00:00:00.000Z' },
    }
    expect(body).toEqual({
      ...described,
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
      url: `https://trestle.test/eth/v1/${body.key}`,
    })
    expect((await manage('GET', '/keys')).body).toEqual([described])
    const { rows } = await sql.query('SELECT to_jsonb(project_key) AS key FROM eth.project_key')
    expect(JSON.stringify(rows)).not.toContain(body.key)
    expect(body.key).not.toBe(id)
  })

  it('calls as the id does, over HTTP and a WebSocket, at every replica, and counts for the project', async () => {
    const { id, url, manage, keyed } = await project({ limits: { perSecond: 1_000, perDay: 1_000_000 } })
    const mobile = await keyed('mobile')
    const replica = await gateway.replica()
    for (const each of [url, mobile.url, `${replica.url}/v1/${mobile.key}`])
      expect(await callRpc(each, 'eth_getCode', `0x${'1'.repeat(40)}`, 'latest')).toMatchObject({ status: 200, result: '0x' })
    const socket = await SocketCaller.open(mobile.url)
    expect(await socket.ask('eth_chainId')).toBe('0x7a69')
    await eventually(async () => {
      const usage: { method: string; calls: number }[] = (await manage('GET', '/usage')).body.usage
      return usage.find(({ method, calls }) => method === 'eth_getCode' && calls === 3)
    }, 'the calls of both count together')
    const used = await eventually(
      () => gateway.activities.find(({ input }) => JSON.stringify(input).includes(`"...${id.slice(-4)}","keyNumber":"1"`)),
      'the activity names the key',
    )
    expect(JSON.stringify(used)).not.toContain(mobile.key)
    await replica.stop()
  })

  it('has the rules of the project', async () => {
    const { keyed } = await project({ allowedMethods: ['eth_chainId'] })
    const { url } = await keyed('mobile')
    expect((await callRpc(url, 'eth_chainId')).status).toBe(200)
    expect(await callRpc(url, 'eth_blockNumber')).toMatchObject({ status: 403, error: { code: -32016 } })
  })

  it('outlives a rotation of the id, and ends with the project', async () => {
    const { manage, keyed } = await project()
    const { url } = await keyed('mobile')
    const { body } = await manage('POST', '/rotations')
    expect((await callRpc(url, 'eth_chainId')).status).toBe(200)
    await callManagement(gateway.service, 'DELETE', `/projects/${body.id}`, { token: gateway.token })
    await refused(url)
  })

  it('is refused at every replica within two seconds of its deletion, and its WebSockets are closed; others go on', async () => {
    const { url, manage, keyed } = await project()
    const [lost, kept] = [await keyed('lost'), await keyed('kept')]
    const replica = await gateway.replica()
    const remote = `${replica.url}/v1/${lost.key}`
    for (const each of [lost.url, remote]) expect((await callRpc(each, 'eth_chainId')).status).toBe(200)
    const sockets = await Promise.all([lost.url, remote].map((each) => SocketCaller.open(each)))
    const others = await Promise.all([url, kept.url].map((each) => SocketCaller.open(each)))
    expect((await manage('DELETE', `/keys/${lost.number}`)).status).toBe(204)
    const deleted = Date.now()
    for (const socket of sockets) expect(await socket.closed).toBe(1008)
    for (const each of [lost.url, remote]) await refused(each)
    expect(Date.now() - deleted).toBeLessThan(PROMPTLY_MS)
    for (const socket of others) expect(await socket.ask('eth_chainId')).toBe('0x7a69')
    expect((await manage('GET', '/keys')).body).toMatchObject([{ name: 'kept' }])
    await replica.stop()
  })

  it('expires on time, with its WebSockets, and lives again with a later expiry', async () => {
    const { manage, keyed } = await project()
    const { number, url } = await keyed('short', new Date(Date.now() + 1_500).toISOString())
    const socket = await SocketCaller.open(url)
    expect(await socket.closed).toBe(1008)
    await refused(url)
    expect((await manage('PATCH', `/keys/${number}`, { expiresAt: null })).body).not.toHaveProperty('expiresAt')
    await eventually(async () => (await callRpc(url, 'eth_chainId')).status === 200 || undefined, 'it calls again', 8_000)
  })

  it('says when and from where it was last used', async () => {
    const { manage, keyed } = await project()
    const [used, unused] = [await keyed('used'), await keyed('unused')]
    const before = Date.now()
    await callRpc(used.url, 'eth_chainId')
    const key = await eventually(
      async () => (await manage('GET', '/keys')).body.find(({ lastUsedAt }: { lastUsedAt?: string }) => lastUsedAt),
      'its use is written',
      8_000,
    )
    expect(key).toMatchObject({ number: used.number, lastUsedFrom: '127.0.0.1' })
    expect(Date.parse(key.lastUsedAt)).toBeGreaterThanOrEqual(before)
    const [first] = (await manage('GET', '/keys')).body
    expect(first).toMatchObject({ number: unused.number })
    expect(first).not.toHaveProperty('lastUsedAt')
  })

  it('is named by the samples of its failed calls, without itself', async () => {
    const { manage, keyed } = await project()
    const { key, number, url } = await keyed('mobile')
    const { headers } = await postCall(url, callOf('eth_getBalance', ['0x1']))
    const id = headers.get('x-request-id')
    const { body } = await eventually(async () => {
      const found = await manage('GET', `/failures/${id}`)
      return found.status === 200 ? found : undefined
    }, 'the sample is kept')
    expect(body).toMatchObject([{ key: { number, name: 'mobile' } }])
    expect(JSON.stringify(body)).not.toContain(key)
  })

  it('never has the number of one before', async () => {
    const { manage, keyed } = await project()
    const { number } = await keyed('one')
    await manage('DELETE', `/keys/${number}`)
    expect(await keyed('two')).toMatchObject({ number: number + 1 })
  })
})

describe('the keys of a project', () => {
  it('are 20 at most, also of those that are created at the same time', async () => {
    const { manage } = await project()
    const created = await Promise.all(Array.from({ length: 22 }, () => manage('POST', '/keys', { name: 'one of many' })))
    expect(created.map(({ status }) => status).sort()).toEqual([...new Array<number>(20).fill(201), 409, 409])
    expect(created.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'LimitExceeded' })
    expect((await manage('GET', '/keys')).body).toHaveLength(20)
  })

  it('do not exist for others', async () => {
    const { id, keyed } = await project()
    const { number } = await keyed('mobile')
    const stranger = gateway.issuer.account()
    for (const [method, path, body] of [
      ['POST', '', { name: 'theirs' }],
      ['GET', ''],
      ['PATCH', `/${number}`, { name: 'theirs' }],
      ['DELETE', `/${number}`],
    ] as const) {
      const { status, body: problem } = await callManagement(gateway.service, method, `/projects/${id}/keys${path}`, {
        token: stranger,
        body,
      })
      expect([status, problem.code]).toEqual([404, 'UnknownProject'])
    }
  })

  it.each([
    ['PATCH', '/keys/7', { name: 'x' }, 404, 'UnknownProjectKey'],
    ['DELETE', '/keys/7', undefined, 404, 'UnknownProjectKey'],
    ['DELETE', '/keys/x', undefined, 400, 'InvalidInput'],
    ['POST', '/keys', {}, 400, 'InvalidInput'],
    ['POST', '/keys', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 400, 'InvalidInput'],
  ])('answer %s %s of %j with %i %s', async (method, path, body, status, code) => {
    const { manage } = await project()
    expect(await manage(method, path, body)).toMatchObject({ status, body: { code } })
  })
})

async function project(settings: object = {}) {
  const url = await gateway.project(settings)
  const id = url.split('/').at(-1) ?? ''
  const manage = (method: string, path: string, body?: unknown) =>
    callManagement(gateway.service, method, `/projects/${id}${path}`, { token: gateway.token, body })
  const keyed = async (name: string, expiresAt?: string): Promise<{ key: string; number: number; url: string }> => {
    const { body } = await manage('POST', '/keys', { name, expiresAt })
    return { key: body.key, number: body.number, url: `${gateway.service.url}/v1/${body.key}` }
  }
  return { id, url, manage, keyed }
}

async function refused(url: string): Promise<void> {
  await eventually(async () => (await callRpc(url, 'eth_chainId')).status === 404 || undefined, 'it is refused', PROMPTLY_MS)
}
