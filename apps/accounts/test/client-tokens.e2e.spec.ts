import { randomUUID } from 'node:crypto'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { eventually } from '@trestle/testing/eventually'
import { retryWhileBusy } from '@trestle/testing/retry-while-busy'
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import { type AccountsUnderTest, type HttpReply, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'

interface KeyPair {
  clientId: string
  clientSecret: string
}

let accounts: AccountsUnderTest
let user: TestUser
let pair: KeyPair
beforeAll(async () => {
  accounts = await startTestAccounts()
  user = await accounts.createUser()
  pair = await createKey(user)
})
afterAll(() => accounts.stop())

describe('a client key', () => {
  it('shows its secret once', async () => {
    const { status, body } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    expect(status).toBe(200)
    expect(body).toEqual({
      clientId: expect.stringMatching(/^client-[0-9a-f-]{36}$/),
      clientSecret: expect.stringMatching(/^trs_[0-9A-Za-z]{49}$/),
      createdAt: expect.any(String),
      organizationId: personalOrganizationOf(user.id),
      userId: user.id,
      scopes: ['staking', 'nodes', 'btc-connect', 'eth-rpc'],
    })
    const list = await accounts.call('GET', '/users/me/client-keys', { token: user.token })
    const { clientSecret: _, clientId: id, ...described } = body
    expect(list.body[0]).toEqual({ id, ...described })
    expect(list.text).not.toContain('trs_')
  })

  it('has a name, an expiry and scopes, and shows when it was last used', async () => {
    const expiresAt = new Date(Date.now() + 600_000).toISOString()
    const key = await createKey(user, { name: ' backup job ', expiresAt, scopes: ['nodes'] })
    await issue(key)
    const used = await eventually(
      async () => (await keysOf(user)).find((each: { id: string; lastUsedAt?: string }) => each.id === key.clientId && each.lastUsedAt),
      'the use is noted',
      SOON_MS,
    )
    expect(used).toMatchObject({ name: 'backup job', expiresAt, scopes: ['nodes'] })
  })

  it('gives no token that outlives it', async () => {
    const expiresAt = new Date(Date.now() + 600_000)
    const { body } = await issue(await createKey(user, { expiresAt: expiresAt.toISOString() }))
    for (const token of [body.accessToken, body.refreshToken]) expect(decodeJwt(token).exp).toBe(Math.floor(expiresAt.getTime() / 1000))
  })

  it.each([
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['no scope', { scopes: [] }],
    ['a scope of the account itself', { scopes: ['accounts'] }],
    ['no name', { name: ' ' }],
    ['a name with NUL', { name: 'a\0b' }],
    ['an array', []],
  ])('refuses %s', async (_, body) => {
    const { status } = await accounts.call('POST', '/users/me/client-keys', { token: user.token, body })
    expect(status).toBe(400)
  })

  it('is refused as the 101st, also when several are created at once', async () => {
    const collector = await accounts.createUser()
    const create = () => accounts.call('POST', '/users/me/client-keys', { token: collector.token })
    const answers = await Promise.all(Array.from({ length: 110 }, () => retryWhileBusy(create)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array.from({ length: 10 }, () => [409, 'LimitExceeded']))
    expect(await keysOf(collector)).toHaveLength(100)

    const [first] = await keysOf(collector)
    await accounts.call('DELETE', `/users/me/client-keys/${first.id}`, { token: collector.token })
    expect((await accounts.call('POST', '/users/me/client-keys', { token: collector.token })).status).toBe(200)
  })

  it('is deleted once, and only by its owner', async () => {
    const key = await createKey(user)
    const path = `/users/me/client-keys/${key.clientId}`
    const stranger = await accounts.createUser()
    const foreign = await accounts.call('DELETE', path, { token: stranger.token })
    expect([foreign.status, foreign.body.code]).toEqual([404, 'UnknownClientKey'])
    expect((await accounts.call('DELETE', path, { token: user.token })).status).toBe(204)
    expect((await accounts.call('DELETE', path, { token: user.token })).body.code).toBe('UnknownClientKey')
  })

  it.each(['%2e%2e', 'client-x', "client-' OR 1=1", 'x'.repeat(101)])('is not found under %s', async (id) => {
    const { status } = await accounts.call('DELETE', `/users/me/client-keys/${encodeURI(id)}`, { token: user.token })
    expect([400, 404]).toContain(status)
  })
})

describe('POST /auth/token', () => {
  it('gives an access token for an hour and a refresh token for a year', async () => {
    const { status, headers, body } = await issue(pair)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(body).sort()).toEqual(['accessToken', 'refreshToken'])

    const access = decodeJwt(body.accessToken)
    expect(decodeProtectedHeader(body.accessToken)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    expect(access).toMatchObject({ iss: 'http://127.0.0.1:8080/accounts', sub: user.id, client_id: pair.clientId, ep: 0, kep: 0 })
    expect(access.aud).toEqual(['staking', 'nodes', 'btc-connect', 'eth-rpc'])
    expect(access.scope).toBe('staking nodes btc-connect eth-rpc')
    expect(lifetime(access)).toBe(3600)

    const refresh = decodeJwt(body.refreshToken)
    expect(decodeProtectedHeader(body.refreshToken)).toMatchObject({ typ: 'rt+jwt' })
    expect(lifetime(refresh)).toBe(365 * 24 * 3600)
    expect(refresh.aud).toEqual(['accounts/token'])
  })

  it('gives an account token for twelve hours', async () => {
    const claims = decodeJwt(user.token)
    expect(decodeProtectedHeader(user.token)).toMatchObject({ typ: 'acct+jwt' })
    expect(claims.aud).toEqual(['accounts', 'staking', 'nodes', 'btc-connect', 'eth-rpc'])
    expect(lifetime(claims)).toBe(12 * 3600)
  })

  it('gives a new access token for the same refresh token any number of times', async () => {
    const { refreshToken } = (await issue(pair)).body
    const answers = await Promise.all(Array.from({ length: 50 }, () => retryWhileBusy(() => refresh(refreshToken))))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(new Set(answers.map(({ body }) => decodeJwt(body.accessToken).jti)).size).toBe(50)
    expect(lifetime(decodeJwt(answers[0]?.body.accessToken))).toBe(3600)
  })

  it('keeps a hundred refresh tokens of a client key: the oldest end', async () => {
    const key = (await accounts.call('POST', '/users/me/client-keys', { token: user.token })).body
    const first = (await issue(key)).body.refreshToken
    const second = (await issue(key)).body.refreshToken
    for (let batch = 0; batch < 9; batch++) await Promise.all(Array.from({ length: 11 }, () => retryWhileBusy(() => issue(key))))
    expect([(await refresh(first)).status, (await refresh(second)).status]).toEqual([401, 200])
    const { rowCount } = await accounts.sql.query('SELECT FROM refresh_token WHERE client_id = $1', [key.clientId])
    expect(rowCount).toBe(100)
  })

  it('ignores unknown members and an invalid bearer token', async () => {
    const body = { grantType: 'clientCredentials', grant_type: 'client_credentials', ...pair, audience: 'x' }
    expect((await accounts.call('POST', '/auth/token', { token: 'stale', body })).status).toBe(200)
  })

  it.each(['password', 'client_credentials', 'CLIENTCREDENTIALS', ''])('does not support the grant type %j', async (grantType) => {
    const { status, body } = await accounts.call('POST', '/auth/token', { body: { ...pair, grantType } })
    expect([status, body.code]).toEqual([400, 'UnsupportedGrantType'])
  })

  it.each([undefined, null, 5, ['clientCredentials'], {}])('accepts no grant type %j', async (grantType) => {
    const { status, body } = await accounts.call('POST', '/auth/token', { body: { ...pair, grantType } })
    expect([status, body.code]).toEqual([400, 'InvalidInput'])
    expect(body.errors[0].path).toBe('body.grantType')
  })

  it.each([
    ['no secret', undefined],
    ['null', null],
    ['a number', 5],
    ['an empty secret', ''],
    ['a secret that is too long', 'x'.repeat(5000)],
  ])('takes %s for none', async (_, clientSecret) => {
    const { status, body } = await accounts.call('POST', '/auth/token', {
      body: { grantType: 'clientCredentials', clientId: pair.clientId, clientSecret },
    })
    expect([status, body.code]).toEqual([400, 'InvalidInput'])
  })

  it('answers 413 to a secret of a megabyte', async () => {
    const { status } = await accounts.call('POST', '/auth/token', {
      body: { ...pair, grantType: 'clientCredentials', clientSecret: 'x'.repeat(1 << 20) },
    })
    expect(status).toBe(413)
  })

  it('accepts no form', async () => {
    const response = await fetch(`${accounts.url}/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grantType: 'clientCredentials', ...pair }),
    })
    expect(response.status).toBe(415)
  })

  it('does not distinguish a wrong secret, an unknown and a deleted client', async () => {
    const [gone, other] = [await createKey(user), await createKey(user)]
    await accounts.call('DELETE', `/users/me/client-keys/${gone.clientId}`, { token: user.token })
    const refused = await Promise.all([
      issue({ ...pair, clientSecret: other.clientSecret }),
      issue({ ...pair, clientSecret: `${pair.clientSecret.slice(0, -1)}!` }),
      issue({ ...pair, clientSecret: 'secret' }),
      issue({ ...pair, clientId: `client-${randomUUID()}` }),
      issue({ ...pair, clientId: "' OR 1=1 --" }),
      issue(gone),
    ])
    for (const answer of refused) expect(facts(answer)).toEqual(facts(refused[0]))
    expect(refused[0]).toMatchObject({ status: 401, body: { code: 'InvalidClient' } })
  })

  it('does not reveal why a refresh token is refused', async () => {
    const gone = await createKey(user)
    const [own, ofGone] = [(await issue(pair)).body, (await issue(gone)).body]
    await accounts.call('DELETE', `/users/me/client-keys/${gone.clientId}`, { token: user.token })
    const [header, payload, signature] = own.refreshToken.split('.')
    const tokens = [
      own.accessToken,
      user.token,
      ofGone.refreshToken,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${payload}.`,
      'garbage',
      ' ',
      `${own.refreshToken}.x`,
    ]
    const refused = await Promise.all(tokens.map((token) => refresh(token)))
    for (const answer of refused) expect(facts(answer)).toEqual(facts(refused[0]))
    expect(refused[0]).toMatchObject({ status: 401, body: { code: 'InvalidRefreshToken' } })
  })

  it('refuses a refresh in the name of another client', async () => {
    const other = await createKey(user)
    const { refreshToken } = (await issue(pair)).body
    const body = { grantType: 'refreshToken', refreshToken }
    expect((await accounts.call('POST', '/auth/token', { body: { ...body, ...other } })).body.code).toBe('InvalidRefreshToken')
    expect((await accounts.call('POST', '/auth/token', { body: { ...body, clientId: other.clientId } })).body.code).toBe(
      'InvalidRefreshToken',
    )
    expect((await accounts.call('POST', '/auth/token', { body: { ...body, ...pair, clientSecret: other.clientSecret } })).body.code).toBe(
      'InvalidClient',
    )
    expect((await accounts.call('POST', '/auth/token', { body: { ...body, ...pair } })).status).toBe(200)
    expect((await accounts.call('POST', '/auth/token', { body: { ...body, clientId: pair.clientId } })).status).toBe(200)
  })
})

async function createKey({ token }: TestUser, body: object = {}): Promise<KeyPair> {
  const { body: key, text, status } = await accounts.call('POST', '/users/me/client-keys', { token, body })
  if (status !== 200) throw new Error(text)
  return { clientId: key.clientId, clientSecret: key.clientSecret }
}

async function keysOf({ token }: TestUser) {
  return (await accounts.call('GET', '/users/me/client-keys', { token })).body
}

function issue({ clientId, clientSecret }: KeyPair): Promise<HttpReply> {
  return accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', clientId, clientSecret } })
}

function refresh(refreshToken: string): Promise<HttpReply> {
  return accounts.call('POST', '/auth/token', { body: { grantType: 'refreshToken', refreshToken } })
}

function lifetime({ exp = 0, iat = 0 }: JWTPayload): number {
  return exp - iat
}

/** Everything a caller could tell answers apart by, but for the id and time of each. */
function facts(answer: HttpReply | undefined) {
  const { requestId: _, ...body } = answer?.body ?? {}
  const headers = [...(answer?.headers ?? [])].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status: answer?.status, body, headers }
}
