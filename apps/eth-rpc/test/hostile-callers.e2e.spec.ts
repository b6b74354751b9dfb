import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { compact } from '@trestle/auth/test/issuer'
import { eventually } from '@trestle/testing/eventually'
import { WebSocket } from 'ws'
import { callOf, type PostedAnswer, postCall } from './exchange.js'
import { startFaultyStage, UNLIMITED } from './faulty-stage.js'
import { callRpc, resultOfRpc, type TestRpcResponse } from './json-rpc.js'
import { callManagement } from './management.js'
import { SocketCaller } from './socket-caller.js'
import { type SoundnessStage, staysHealthy } from './soundness.js'

const SOMEBODY = `0x${'12'.repeat(20)}`
const CALL = callOf('eth_chainId')
const UNAUTHORIZED = -32016
const LIMIT = -32005
const UNAVAILABLE = -32002
const AT_ONCE = 20

let stage: SoundnessStage
let url: string
beforeAll(async () => {
  stage = await startFaultyStage()
  url = stage.url
})
staysHealthy(() => stage)
afterAll(() => stage.stop())

describe('a project', () => {
  it('that is deleted is gone for everyone, open connections too', async () => {
    const project = await stage.gateway.project()
    const caller = await SocketCaller.open(project)
    expect(await caller.ask('eth_chainId')).toBe('0x7a69')
    await managed('DELETE', project)
    await eventually(async () => (await postCall(project, CALL)).status === 404 || undefined, 'the project is gone')
    expect(await caller.closed).toBe(1008)
  })

  it('whose id was rotated is not found by the former', async () => {
    const project = await stage.gateway.project()
    await managed('POST', `${project}/rotations`)
    await eventually(async () => (await postCall(project, CALL)).status === 404 || undefined, 'the id is gone')
  })

  it.each(['unknown', '0'.repeat(32)])('that does not exist has no WebSocket: %s', async (id) => {
    expect(await upgradeStatus(`${stage.gateway.service.url}/v1/${id}`)).toBe(404)
  })
})

describe('a project that requires a token', () => {
  let project: string
  let ownerId: string
  beforeAll(async () => {
    project = await stage.gateway.project({ requireToken: true })
    ownerId = JSON.parse(Buffer.from(stage.gateway.token.split('.')[1]!, 'base64url').toString()).sub
  })

  it.each<[string, () => string | undefined]>([
    ['no token', () => undefined],
    ['no words', () => 'Bearer'],
    ['another scheme', () => `Basic ${Buffer.from('a:b').toString('base64')}`],
    ['no token of ours', () => 'Bearer x.y.z'],
    ['a token as cast makes them', () => `Bearer ${hs256({ iat: Math.floor(Date.now() / 1000) })}`],
    ['a token of a secret of its own', () => `Bearer ${hs256({ sub: ownerId, aud: ['eth-rpc'], exp: 4e9 })}`],
    ['a token of yesterday', () => `Bearer ${stage.gateway.issuer.client({ payload: { sub: ownerId, exp: 1_700_000_000 } })}`],
    ['a token for something else', () => `Bearer ${stage.gateway.issuer.client({ payload: { sub: ownerId, aud: ['staking'] } })}`],
  ])('answers %s with 401', async (_, authorization) => {
    const headers = { ...(authorization() && { authorization: authorization() as string }) }
    const answer = await postCall(project, CALL, headers)
    expect(refusalOf(answer)).toEqual([401, UNAUTHORIZED])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(await upgradeStatus(project, headers)).toBe(401)
  })

  it('answers the token of another user with 403', async () => {
    const headers = { authorization: `Bearer ${stage.gateway.issuer.client()}` }
    expect(refusalOf(await postCall(project, CALL, headers))).toEqual([403, UNAUTHORIZED])
    expect(await upgradeStatus(project, headers)).toBe(403)
  })

  it('answers its owner', async () => {
    for (const token of [stage.gateway.token, stage.gateway.issuer.client({ payload: { sub: ownerId } })]) {
      const headers = { authorization: `Bearer ${token}` }
      expect(await postCall(project, CALL, headers)).toMatchObject({ status: 200 })
      expect(await upgradeStatus(project, headers)).toBe(101)
    }
  })
})

describe('a project that restricts its callers', () => {
  it.each([
    [['192.0.2.1'], {}, 403],
    [['127.0.0.0/8', '::1'], {}, 200],
    [['192.0.2.0/24'], { 'x-forwarded-for': '192.0.2.7' }, 200],
    [['127.0.0.0/8'], { 'x-forwarded-for': '192.0.2.7' }, 403],
    // What somebody says before the nearest proxy is not believed.
    [['192.0.2.0/24'], { 'x-forwarded-for': '192.0.2.7, 203.0.113.9' }, 403],
    [['192.0.2.0/24'], { 'x-forwarded-for': 'localhost' }, 403],
    [['192.0.2.0/24'], { 'x-forwarded-for': Array(60).fill('192.0.2.7').join() }, 200],
    [['2001:db8::/32'], { 'x-forwarded-for': '2001:db8::1' }, 200],
    [['2001:db8::/32'], { 'x-forwarded-for': '::ffff:192.0.2.7' }, 403],
  ])('by address: %j, %j', async (allowedIps, headers, status) => {
    const project = await projectWith({ allowedIps })
    expect((await postCall(project, CALL, headers)).status).toBe(status)
    expect(await upgradeStatus(project, headers)).toBe(status === 200 ? 101 : status)
  })

  it('by origin, over a WebSocket too', async () => {
    const project = await projectWith({ allowedOrigins: ['https://app.example'] })
    expect(await upgradeStatus(project, { origin: 'https://other.example' })).toBe(403)
    expect(await upgradeStatus(project, { origin: 'https://app.example' })).toBe(101)
    expect(await upgradeStatus(project)).toBe(101)
  })
})

describe('a project that restricts what is called', () => {
  it('by method', async () => {
    const project = await projectWith({ allowedMethods: ['eth_get*', 'web3_sha3'] })
    expect(await callRpc(project, 'eth_getBalance', SOMEBODY)).toMatchObject({ status: 200, result: '0x0' })
    expect(await callRpc(project, 'web_sha3', '0x')).toMatchObject({ status: 200 })
    for (const method of ['eth_chainId', 'web_clientVersion', 'eth_newBlockFilter', 'eth_subscribe']) {
      expect(await callRpc(project, method)).toMatchObject({ status: 403, error: { code: UNAUTHORIZED } })
    }
    expect(await callRpc(project, 'anvil_mine')).toMatchObject({ status: 200, error: { code: -32601 } })
    const { status, text } = await postCall(project, `[${CALL},${callOf('eth_getCode', [SOMEBODY])}]`)
    expect([status, JSON.parse(text)]).toMatchObject([200, [{ error: { code: UNAUTHORIZED } }, { result: '0x' }]])
    const caller = await SocketCaller.open(project)
    await expect(caller.ask('eth_subscribe', 'newHeads')).rejects.toThrow(String(UNAUTHORIZED))
    caller.close()
  })

  it.each<[string, (token: string) => unknown[], boolean]>([
    ['eth_call', (token) => [{ to: token, data: '0x18160ddd' }], true],
    ['eth_call', (token) => [{ to: token.toUpperCase().replace('0X', '0x'), data: '0x18160ddd' }], true],
    ['eth_call', () => [{ to: SOMEBODY }], false],
    ['eth_call', () => [{ data: '0x00' }], false],
    ['eth_call', () => [], false],
    ['eth_call', (token) => [{ to: [token] }], false],
    ['eth_estimateGas', () => [{ to: SOMEBODY }], false],
    ['eth_getLogs', (token) => [{ address: token }], true],
    ['eth_getLogs', (token) => [{ address: [token, token] }], true],
    ['eth_getLogs', (token) => [{ address: [token, SOMEBODY] }], false],
    ['eth_getLogs', () => [{ address: [] }], false],
    ['eth_getLogs', () => [{}], false],
    ['eth_newFilter', () => [{}], false],
    ['eth_getStorageAt', () => [SOMEBODY, '0x0'], false],
    ['eth_simulateV1', (token) => [{ blockStateCalls: [{ calls: [{ to: token }, { to: SOMEBODY }] }] }], false],
    ['eth_call', (token) => [{ to: token }, 'latest', { [token]: { code: '0x60005460005260206000f3' } }], false],
    ['eth_call', (token) => [{ to: token, To: SOMEBODY }, 'latest'], false],
  ])('by contract: %s %#', async (method, params, isAllowed) => {
    const project = await projectWith({ allowedContracts: [stage.token] })
    const told = await callRpc(project, method, ...params(stage.token))
    expect(told).toMatchObject(isAllowed ? { status: 200, result: expect.anything() } : { status: 403, error: { code: UNAUTHORIZED } })
  })
})

describe('a caller over its limit', () => {
  it('is told when to retry', async () => {
    const project = await projectWith({ limits: { perSecond: 20 } })
    await callRpc(project, 'eth_estimateGas', { to: SOMEBODY })
    const { status, headers, text } = await postCall(project, callOf('eth_blockNumber', [], 'mine'))
    expect([status, JSON.parse(text)]).toMatchObject([
      429,
      {
        id: 'mine',
        error: { code: LIMIT, message: expect.stringMatching(/; try again in \d+ s/), data: { limit: 20, resetAt: expect.any(String) } },
      },
    ])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await upgradeStatus(project)).toBe(101)
  })

  it('is told for each call of a batch', async () => {
    const project = await projectWith({ limits: { perSecond: 20 } })
    const batch = `[${[1, 2, 3].map((id) => callOf('eth_estimateGas', [{ to: SOMEBODY }], id)).join()}]`
    const first = await postCall(project, batch)
    expect([first.status, JSON.parse(first.text).map(({ error }: TestRpcResponse) => error?.code)]).toEqual([
      200,
      [undefined, LIMIT, LIMIT],
    ])
    const second = await postCall(project, batch)
    expect([second.status, JSON.parse(second.text).map(({ id }: { id: number }) => id)]).toEqual([429, [1, 2, 3]])
  })

  it('for the day is told when the next day begins', async () => {
    const project = await projectWith({ limits: { perDay: 20 } })
    await callRpc(project, 'eth_estimateGas', { to: SOMEBODY })
    const { status, error } = await callRpc(project, 'eth_blockNumber')
    expect([status, error]).toMatchObject([429, { code: LIMIT, data: { limit: 20, resetAt: expect.stringMatching(/T00:00:00.000Z$/) } }])
    // What costs nothing, too.
    expect((await callRpc(project, 'eth_chainId')).status).toBe(429)
  })
})

describe('a filter', () => {
  it('belongs to one project', async () => {
    const id = await resultOfRpc<string>(url, 'eth_newBlockFilter')
    const other = await projectWith({})
    for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs']) {
      expect(await callRpc(other, method, id)).toMatchObject({ status: 200, error: { code: -32000, message: 'filter not found' } })
    }
    expect(await resultOfRpc(other, 'eth_uninstallFilter', id)).toBe(false)
    expect(await resultOfRpc(url, 'eth_getFilterChanges', id)).toEqual([])
    expect(await resultOfRpc(url, 'eth_uninstallFilter', id)).toBe(true)
  })

  it.each(['', '0x', '0x1', '*', '>', `0x${'*'.repeat(32)}`, '0x1.2', `0x${'A'.repeat(32)}`, 'x'.repeat(100_000), '__proto__'])(
    'with the id %.20j does not exist',
    async (id) => {
      expect(await callRpc(url, 'eth_getFilterChanges', id)).toMatchObject({ status: 200, error: { code: -32000 } })
      expect(await callRpc(url, 'eth_uninstallFilter', id)).toMatchObject({ status: 200, result: false })
    },
  )

  it.each([[], [1], [null], [{}], [[]]])('of no id is no filter: %j', async (...params) => {
    expect(await callRpc(url, 'eth_getFilterChanges', ...params)).toMatchObject({ status: 200, error: { code: -32602 } })
  })

  it('reports no blocks outside its range', async () => {
    const { number } = await stage.mine()
    const at = (blocks: number) => `0x${(Number(number) + blocks).toString(16)}`
    const past = await resultOfRpc<string>(url, 'eth_newFilter', { fromBlock: '0x0', toBlock: number })
    const future = await resultOfRpc<string>(url, 'eth_newFilter', { fromBlock: at(2), toBlock: at(3) })
    for (let i = 0; i < 4; i++) {
      await stage.transfer()
      await stage.mine()
    }
    expect(await resultOfRpc(url, 'eth_getFilterChanges', past)).toEqual([])
    expect(await resultOfRpc(url, 'eth_getFilterChanges', future)).toMatchObject([{ blockNumber: at(2) }, { blockNumber: at(3) }])
  })

  it('is limited to a thousand a project', async () => {
    const project = await projectWith(UNLIMITED)
    const batch = `[${Array(AT_ONCE).fill(callOf('eth_newBlockFilter')).join()}]`
    const told: TestRpcResponse[] = []
    while (!told.some(({ error }) => error?.code === LIMIT)) told.push(...JSON.parse((await postCall(project, batch)).text))
    // On a machine that is busy some may not be kept in time, and are refused, or kept all the same.
    const late = told.filter(({ error }) => error?.code === UNAVAILABLE).length
    const made = told.filter(({ result }) => result)
    expect(made.length + late).toBeGreaterThanOrEqual(1000)
    expect(made.length).toBeLessThan(1000 + AT_ONCE)
    const most = made.slice(0, 2 * AT_ONCE + late).map(({ result }) => callOf('eth_uninstallFilter', [result]))
    for (const call of most) await postCall(project, call)
    expect(await callRpc(project, 'eth_newBlockFilter')).toMatchObject({ status: 200, result: expect.any(String) })
  })
})

/** Of somebody who has no other: nobody may have many. */
function projectWith(settings: object): Promise<string> {
  return stage.gateway.project(settings, { owner: stage.gateway.issuer.account() })
}

/** Its status, and the code of an error that is about no call. */
function refusalOf({ status, text }: PostedAnswer): [number, number] {
  const { jsonrpc, id, error } = JSON.parse(text)
  expect({ jsonrpc, id }).toEqual({ jsonrpc: '2.0', id: null })
  return [status, error.code]
}

/** Of somebody who asks for a WebSocket; 101: it is there. */
async function upgradeStatus(project: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(project.replace('http', 'ws'), { headers })
  const opened = once(socket, 'open').then(() => 101)
  opened.catch(() => {})
  const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode as number)
  refused.catch(() => {})
  const status = await Promise.race([opened, refused])
  socket.on('error', () => {})
  socket.terminate()
  return status
}

async function managed(method: string, project: string) {
  const { status } = await callManagement(stage.gateway.service, method, project.replace(/^.*\/v1\//, '/projects/'), {
    token: stage.gateway.token,
    body: {},
  })
  expect(status).toBeLessThan(300)
}

/** As clients of a node make it of a secret they share with it. */
function hs256(claims: object): string {
  return compact({ alg: 'HS256', typ: 'JWT' }, claims, (input) => createHmac('sha256', 'secret').update(input).digest())
}
