import { eventually } from '@trestle/testing/eventually'
import {
  basic,
  callMachine,
  digestOf,
  type GatewayUnderTest,
  type Held,
  postToGateway,
  startGateway,
} from './gateway/gateway-under-test.js'
import { type RecordingMachine, startRecordingMachine } from './gateway/recording-machine.js'
import { rawRequest, refusalOf } from './gateway/requests.js'

const CALL = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'

let gateway: GatewayUnderTest
let machine: RecordingMachine
let node: Held
let bitcoin: Held

beforeAll(async () => {
  ;[gateway, machine] = await Promise.all([startGateway(), startRecordingMachine()])
  node = await gateway.node(machine)
  bitcoin = await gateway.node({ url: machine.url, password: 'p:w' }, { chain: 'ltc', network: 'mainnet' })
})
beforeEach(() => machine.answers())
afterAll(async () => {
  await gateway.stop()
  await machine.stop()
})

describe('credentials', () => {
  it.each<[string, () => string]>([
    ['a wrong password', () => basic(node.user, 'wrong')],
    ['no password', () => basic(node.user, '')],
    ['another user', () => basic(node.user.toUpperCase(), node.password)],
    ['no colon', () => `Basic ${Buffer.from(node.user + node.password).toString('base64')}`],
    ['those of another node', () => bitcoin.authorization],
    ['nothing', () => 'Basic'],
    ['nothing that could be some', () => 'Basic %%%'],
    ['a token', () => `Bearer ${gateway.accounts.issuer.account()}`],
  ])('that are %s are refused', async (_, authorization) => {
    const answer = await postToGateway(node.url, CALL, { authorization: authorization() })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="trestle", charset="UTF-8"')
    expect(answer.body).toMatchObject({ title: 'Unauthorized', requestId: answer.headers.get('x-request-id') })
    expect(machine.received).toEqual([])
  })

  it('may hold colons (RFC 7617 section 2)', async () => {
    const held = await gateway.node(machine, { password: 'a:b::' })
    expect((await callMachine(held, 'eth_chainId')).status).toBe(200)
  })

  it('given twice are none', async () => {
    const { status } = await rawRequest(node.url, 'POST', [
      'content-length',
      '0',
      'authorization',
      node.authorization,
      'Authorization',
      basic('a', 'b'),
    ])
    expect(status).toBe(401)
  })

  it('that were changed are good for nothing, and the new ones are', async () => {
    const held = await gateway.node(machine)
    expect((await callMachine(held, 'eth_chainId')).status).toBe(200)
    await gateway.change(held.id, 'credentials_digest = $2', digestOf('new', 'one'))
    expect((await callMachine(held, 'eth_chainId')).status).toBe(401)
    expect((await callMachine({ ...held, authorization: basic('new', 'one') }, 'eth_chainId')).status).toBe(200)
  })

  it('apply after a while even if the notification of the change was lost', async () => {
    const held = await gateway.node(machine)
    expect((await callMachine(held, 'eth_chainId')).status).toBe(200)
    await gateway.sql.query('UPDATE workload SET credentials_digest = $2 WHERE id = $1', [held.id, digestOf('new', 'one')])
    await eventually(async () => (await callMachine(held, 'eth_chainId')).status === 401 || undefined, 'the old ones are refused')
  })

  it('of what was removed lead nowhere, like an id that never was', async () => {
    const held = await gateway.node(machine)
    await gateway.change(held.id, "desired_state = 'removed', removed_at = now()")
    expect(refusalOf(await callMachine(held, 'eth_chainId'))).toEqual([404, 'UnknownNode'])
    for (const id of ['node-1', held.id.toUpperCase(), `node-${'0'.repeat(36)}`, '*', '..%2f', 'x'.repeat(5_000)]) {
      expect((await postToGateway(`${gateway.service.url}/rpc/${id}`, CALL)).status).toBe(404)
    }
  })
})

describe('a node that wants a token', () => {
  const owner = 'user-11111111-1111-4111-8111-111111111111'
  let held: Held
  beforeAll(async () => {
    held = await gateway.node(machine, { authType: 'jwt', userId: owner })
  })

  it.each<[string, () => string | undefined, number, string]>([
    ['none', () => undefined, 401, 'MissingToken'],
    ['its own user and password', () => held.authorization, 401, 'MissingToken'],
    ['no token', () => 'Bearer x', 401, 'InvalidToken'],
    ["somebody else's account token", () => `Bearer ${gateway.accounts.issuer.account()}`, 403, 'NotOwner'],
    ["somebody else's client token", () => `Bearer ${gateway.accounts.issuer.client()}`, 403, 'NotOwner'],
    ['an expired one', () => bearer({ sub: owner, exp: 1_700_000_000 }), 401, 'TokenExpired'],
    ['one for another area', () => bearer({ sub: owner, aud: ['staking'] }), 401, 'InvalidToken'],
  ])('refuses %s', async (_, authorization, status, code) => {
    const given = authorization()
    expect(refusalOf(await postToGateway(held.url, CALL, given === undefined ? {} : { authorization: given }))).toEqual([status, code])
    expect(machine.received).toEqual([])
  })

  it("takes its owner's, of both kinds", async () => {
    const { issuer } = gateway.accounts
    expect((await postToGateway(held.url, CALL, { authorization: `Bearer ${issuer.account({ payload: { sub: owner } })}` })).status).toBe(
      200,
    )
    const clientId = 'client-22222222-2222-4222-8222-222222222222'
    const authorization = `Bearer ${issuer.client({ payload: { sub: owner, client_id: clientId, kep: 0 } })}`
    expect((await postToGateway(held.url, CALL, { authorization })).status).toBe(200)
    expect(machine.received.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  function bearer(payload: object) {
    return `Bearer ${gateway.accounts.issuer.client({ payload: { ...payload } })}`
  }
})

describe('a workload that says from where it may be called', () => {
  it.each([
    [['192.0.2.1'], {}, 403],
    [['127.0.0.0/8', '::1'], {}, 200],
    [['192.0.2.0/24'], { 'x-forwarded-for': '192.0.2.7' }, 200],
    [['192.0.2.0/24'], { 'x-forwarded-for': '::ffff:192.0.2.7' }, 200],
    [['127.0.0.0/8'], { 'x-forwarded-for': '192.0.2.7' }, 403],
    [['192.0.2.0/24'], { 'x-forwarded-for': '192.0.2.7, 203.0.113.9' }, 403],
    [['2001:db8::/32'], { 'x-forwarded-for': '2001:db8::1' }, 200],
  ])('%j, %j', async (allowedIps, headers, status) => {
    const held = await gateway.node(machine, { allowedIps })
    expect((await postToGateway(held.url, CALL, { authorization: held.authorization, ...headers })).status).toBe(status)
  })
})

describe('a node that cannot be called', () => {
  it('is told to be stopped', async () => {
    const held = await gateway.node(machine)
    await gateway.change(held.id, "desired_state = 'stopped'")
    expect(refusalOf(await callMachine(held, 'eth_chainId'))).toEqual([503, 'Stopped'])
    expect(refusalOf(await postToGateway(held.url, CALL))).toEqual([401, 'MissingCredentials'])
  })

  it('is told why', async () => {
    const conditions = [
      { type: 'Provisioned', status: 'true', message: 'It is there.' },
      { type: 'Reachable', status: 'false', message: 'It says: Loading block index' },
    ]
    const held = await gateway.node({ url: machine.url, phase: 'starting', conditions })
    const answer = await callMachine(held, 'eth_chainId')
    expect([...refusalOf(answer), answer.body.detail, answer.headers.get('retry-after')]).toEqual([
      503,
      'NotReady',
      'The node cannot be called yet. It says: Loading block index',
      '5',
    ])
  })

  it('is called while it follows its chain: how far it is it says itself', async () => {
    const conditions = [{ type: 'Reachable', status: 'true', message: '' }]
    const held = await gateway.node({ url: machine.url, phase: 'syncing', conditions })
    expect((await callMachine(held, 'eth_syncing')).status).toBe(200)
  })

  it.each(['http://169.254.169.254:8545', 'http://[fe80::1]:8545', 'http://[::ffff:169.254.169.254]:8545'])('is one at %s', async (url) => {
    const held = await gateway.node({ url })
    expect(refusalOf(await callMachine(held, 'eth_chainId'))).toEqual([503, 'NotReady'])
  })
})
