import { randomUUID } from 'node:crypto'
import { jest } from '@jest/globals'
import { advanceClock } from './clock.js'
import { signingKey, TestIssuer, type TokenParts } from './issuer.js'
import { CHALLENGE, INVALID, invalid, startService, type TestService } from './service.js'
import { FakeAccounts, noMessaging } from './sources.js'

const EXPIRED = `${INVALID}, error_description="The access token expired"`

const issuer = new TestIssuer()
const seconds = () => Math.floor(Date.now() / 1000)
let service: TestService

beforeAll(async () => {
  service = await startService(new FakeAccounts(issuer).options(), noMessaging())
})

beforeEach(() => advanceClock(0))

afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

afterAll(() => service.stop())

describe('a genuine token', () => {
  it('gives the access of its kind', async () => {
    const account = issuer.account()
    const client = issuer.client()
    expect(await service.withToken('/account', account)).toMatchObject({ status: 200, body: { caller: { kind: 'account' } } })
    expect(await service.withToken('/client', account)).toMatchObject({ status: 200, body: { caller: { kind: 'account' } } })
    expect(await service.withToken('/client', client)).toMatchObject({ status: 200, body: { caller: { kind: 'client' } } })
  })

  it('is not mistaken for two when another header mentions authorization', async () => {
    const headers = ['access-control-request-headers', 'authorization', 'authorization', `Bearer ${issuer.account()}`]
    expect(await service.get('/account', ...headers)).toMatchObject({ status: 200 })
  })

  it('gives the same access when it was verified before', async () => {
    const token = issuer.client()
    const first = await service.withToken('/client', token)
    expect(await service.withToken('/client', token)).toEqual(first)
  })

  it.each([
    ['a lower-case scheme', 'bearer '],
    ['an upper-case scheme', 'BEARER '],
    ['several spaces', 'Bearer   '],
  ])('is accepted with %s', async (_, prefix) => {
    expect(await service.get('/account', 'authorization', prefix + issuer.account())).toMatchObject({ status: 200 })
  })

  it.each<[string, () => TokenParts]>([
    ['expired 4 seconds ago', () => ({ payload: { exp: seconds() - 4 } })],
    ['becomes valid in 4 seconds', () => ({ payload: { nbf: seconds() + 4 } })],
    ['was issued 4 seconds from now', () => ({ payload: { iat: seconds() + 4 } })],
    ['is valid for 4 seconds too long', () => ({ payload: { iat: seconds() - 4 } })],
    ['lists this area second', () => ({ payload: { aud: ['staking', 'nodes'] } })],
    ['has an unknown claim', () => ({ payload: { tenant: 'org-1' } })],
  ])('is accepted when it %s', async (_, parts) => {
    expect(await service.withToken('/account', issuer.account(parts()))).toMatchObject({ status: 200 })
    expect(await service.withToken('/client', issuer.client(parts()))).toMatchObject({ status: 200 })
  })
})

describe('a request without a bearer token', () => {
  it.each([
    ['no Authorization header', '/account', []],
    ['HTTP Basic', '/account', ['authorization', `Basic ${Buffer.from('a:b').toString('base64')}`]],
    ['the token without a scheme', '/account', ['authorization', issuer.account()]],
    ['the token in the query', `/account?access_token=${issuer.account()}`, []],
    ['the token in a cookie', '/account', ['cookie', `access_token=${issuer.account()}; authorization=Bearer ${issuer.account()}`]],
    ['the token in another header', '/account', ['x-authorization', `Bearer ${issuer.account()}`]],
  ])('is refused as one without a token: %s', async (_, path, headers) => {
    expect(await service.get(path, ...headers)).toMatchObject({ status: 401, body: { code: 'MissingToken' }, challenge: CHALLENGE })
  })
})

describe('an Authorization header that is no bearer token', () => {
  it.each<[string, (token: string) => string]>([
    ['nothing after the scheme', () => 'Bearer'],
    ['a word', () => 'Bearer x'],
    ['two segments', (token) => `Bearer ${token.split('.').slice(0, 2).join('.')}`],
    ['four segments', (token) => `Bearer ${token}.x`],
    ['an empty header segment', (token) => `Bearer .${token.split('.').slice(1).join('.')}`],
    ['an empty payload segment', (token) => `Bearer ${token.split('.')[0]}..${token.split('.')[2]}`],
    ['no signature', (token) => `Bearer ${token.split('.').slice(0, 2).join('.')}.`],
    ['padding', (token) => `Bearer ${token}=`],
    ['a tab after the scheme', (token) => `Bearer\t${token}`],
    ['a space inside', (token) => `Bearer ${token.slice(0, 20)} ${token.slice(20)}`],
    ['a second token', (token) => `Bearer ${token} ${token}`],
    ['a comma and a second token', (token) => `Bearer ${token}, Bearer ${token}`],
    ['quotes', (token) => `Bearer "${token}"`],
    ['10 KB of dots', () => `Bearer ${'.'.repeat(10_000)}`],
  ])('is refused: %s', async (_, header) => {
    expect(await service.get('/account', 'authorization', header(issuer.account()))).toMatchObject(invalid())
  })

  it('is refused when there are two, whichever comes first', async () => {
    const token = `Bearer ${issuer.account()}`
    expect(await service.get('/account', 'authorization', token, 'Authorization', token)).toMatchObject(invalid())
    expect(await service.get('/account', 'authorization', token, 'AUTHORIZATION', 'Basic YTpi')).toMatchObject(invalid())
    expect(await service.get('/account', 'authorization', 'Basic YTpi', 'authorization', token)).toMatchObject({ status: 401 })
  })
})

describe('an expired token', () => {
  it('is refused with 401 and its own code', async () => {
    const token = issuer.account({ payload: { exp: seconds() - 6 } })
    expect(await service.withToken('/account', token)).toMatchObject({
      status: 401,
      body: { code: 'TokenExpired', detail: 'The access token expired.' },
      challenge: EXPIRED,
    })
    expect(await service.withToken('/client', issuer.client({ payload: { exp: 0 } }))).toMatchObject({
      status: 401,
      body: { code: 'TokenExpired' },
    })
  })

  it('is refused as invalid when another key signed it', async () => {
    const key = signingKey(issuer.keys.account.kid)
    expect(await service.withToken('/account', issuer.account({ key, payload: { exp: 0 } }))).toMatchObject(invalid())
  })
})

describe('an expired token in the staking area', () => {
  let staking: TestService

  beforeAll(async () => {
    staking = await startService({ ...new FakeAccounts(issuer).options(), area: 'staking', expiredStatus: 403 }, noMessaging())
  })

  afterAll(() => staking.stop())

  it('is refused with 403', async () => {
    const expired = issuer.client({ payload: { exp: seconds() - 6 } })
    const forbidden = { status: 403, body: { title: 'Forbidden', code: 'TokenExpired', detail: 'The access token expired.' } }
    expect(await staking.withToken('/client', expired)).toMatchObject(forbidden)
    expect(await staking.withToken('/client', issuer.client({ payload: { aud: ['nodes'] } }))).toMatchObject(invalid())
    expect(await staking.get('/client')).toMatchObject({ status: 401, body: { code: 'MissingToken' } })
  })
})

describe('two services in one process', () => {
  const otherIssuer = new TestIssuer()
  let other: TestService

  beforeAll(async () => {
    other = await startService(new FakeAccounts(otherIssuer).options(), noMessaging())
  })

  afterAll(() => other.stop())

  it('each accept the tokens of their own issuer only', async () => {
    const answers = await Promise.all([
      service.withToken('/account', issuer.account()),
      other.withToken('/account', otherIssuer.account()),
      service.withToken('/client', otherIssuer.client()),
      other.withToken('/client', issuer.client()),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 401])
  })
})

describe('the wrong token', () => {
  it('is refused: a client token on an endpoint for account tokens', async () => {
    const token = issuer.client()
    expect(await service.withToken('/client', token)).toMatchObject({ status: 200 })
    expect(await service.withToken('/account', token)).toMatchObject(invalid())
    expect(await service.withToken('/manager', token)).toMatchObject(invalid())
    expect(await service.withToken('/manager', issuer.client({ payload: { aud: ['nodes', 'manager'] } }))).toMatchObject(invalid())
  })

  it('is refused: the token of a user who is no administrator', async () => {
    expect(await service.withToken('/manager', issuer.account())).toMatchObject({ status: 403, body: { code: 'NotManager' } })
    const administrator = issuer.account({ payload: { aud: ['nodes', 'manager'] } })
    expect(await service.withToken('/manager', administrator)).toMatchObject({ status: 200 })
  })

  it("is refused: an administrator's token for other areas", async () => {
    expect(await service.withToken('/manager', issuer.account({ payload: { aud: ['accounts', 'manager'] } }))).toMatchObject(invalid())
  })
})

describe('an endpoint without bearer tokens', () => {
  it.each(['/public', '/basic'])('ignores any token: %s', async (path) => {
    for (const header of ['Bearer x', `Bearer ${issuer.account({ payload: { exp: 0 } })}`, `Bearer ${issuer.account()}`]) {
      expect(await service.get(path, 'authorization', header)).toMatchObject({ status: 200, body: {} })
    }
  })
})

describe('a raw Fastify route', () => {
  it('authenticates by itself', async () => {
    expect(await service.withToken('/raw', issuer.client())).toMatchObject({ status: 200, body: { caller: { kind: 'client' } } })
    expect(await service.withToken('/raw', 'x')).toMatchObject(invalid())
    expect(await service.get('/raw')).toMatchObject({ status: 401, body: { code: 'MissingToken' }, challenge: CHALLENGE })
  })
})

describe('a route without a contract', () => {
  it('is closed to everyone', async () => {
    expect(await service.withToken('/unmarked', issuer.account())).toMatchObject({ status: 500, body: { code: 'InternalError' } })
  })
})

describe('a service with a budget for each caller', () => {
  it('refuses what is over it, whichever token of the user it comes with, and nobody else', async () => {
    // Two reads.
    const limited = await startService({ ...new FakeAccounts(issuer).options(), apiBudgetFactor: 2 / 6000 }, noMessaging())
    const ada = { payload: { sub: `user-${randomUUID()}` } }
    const statuses: number[] = []
    for (const token of [issuer.account(ada), issuer.client(ada), issuer.client(ada)])
      statuses.push((await limited.withToken('/client', token)).status)
    expect(statuses).toEqual([200, 200, 429])
    const refused = await limited.withToken('/client', issuer.account(ada))
    expect(refused).toMatchObject({ status: 429, body: { code: 'TooManyRequests' } })
    expect(Number(refused.retryAfter)).toBeGreaterThan(10)
    expect(await limited.withToken('/client', issuer.account())).toMatchObject({ status: 200 })
    expect(await limited.get('/public')).toMatchObject({ status: 200 })
    jest.useRealTimers()
    await limited.stop()
  })
})
