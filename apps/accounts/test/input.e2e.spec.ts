import { type AccountsUnderTest, startTestAccounts, type TestUser } from './accounts.js'

let accounts: AccountsUnderTest
let user: TestUser
beforeAll(async () => {
  accounts = await startTestAccounts()
  user = await accounts.createUser()
})
afterAll(() => accounts.stop())

const create = (body: object) => accounts.call('POST', '/users/me/client-keys', { token: user.token, body })
const form = (body: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(body) })

describe('a misspelt setting', () => {
  it.each([
    ['scope', 'scopes', ['nodes']],
    ['expires', 'expiresAt', '2099-01-01T00:00:00Z'],
    ['expires_at', 'expiresAt', '2099-01-01T00:00:00Z'],
    ['Name', 'name', 'backup'],
  ])('%s of a client key is refused, and the right one is named', async (name, meant, value) => {
    const { status, headers, body } = await create({ [name]: value })
    expect([status, headers.get('content-type'), body.code]).toEqual([400, 'application/problem+json; charset=utf-8', 'InvalidInput'])
    expect(body.errors).toEqual([{ path: `body.${name}`, message: `unknown member "${name}"; did you mean "${meant}"?` }])
    expect((await accounts.call('GET', '/users/me/client-keys', { token: user.token })).body).toEqual([])
  })

  it.each([
    ['/users/me/events?form=2026-01-31', 'query.form', 'did you mean "from"?'],
    ['/users/me?verbose=1', 'query.verbose', 'this endpoint takes none'],
    ['/users/me/sessions?limit=5', 'query.limit', 'this endpoint takes none'],
  ])('in the query %s is refused', async (path, at, advice) => {
    const { status, body } = await accounts.call('GET', path, { token: user.token })
    expect({ status, errors: body.errors }).toEqual({ status: 400, errors: [{ path: at, message: expect.stringContaining(advice) }] })
  })

  it('is not told to who has no token', async () => {
    expect((await accounts.call('GET', '/users/me?verbose=1')).status).toBe(401)
  })
})

it.each(['2099-01-31T12:00:00Z', '2099-01-31T12:00:00.000000Z', '2099-01-31T13:00:00+01:00'])(
  'a time may be written %s, and is answered in milliseconds',
  async (expiresAt) => {
    expect((await create({ expiresAt })).body.expiresAt).toBe('2099-01-31T12:00:00.000Z')
  },
)

describe('what clients are known to send', () => {
  it('is ignored: a cache buster, and a body beside the Basic header', async () => {
    expect((await accounts.call('GET', '/users/me?_=1700000000000', { token: user.token })).status).toBe(200)
    const basic = `${user.email}:${user.password}`
    expect((await accounts.call('POST', '/auth', { basic, body: { username: user.email } })).status).toBe(200)
  })

  it('is ignored at the OAuth endpoints, as RFC 6749 demands', async () => {
    const { clientId, clientSecret } = (await create({})).body
    const sent = form({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, audience: 'x', resource: 'y' })
    expect((await fetch(`${accounts.url}/oauth2/token?tenant=1`, sent)).status).toBe(200)
  })
})

describe('OAuth', () => {
  it('has its place named where its members are sent to another', async () => {
    const { status, body } = await accounts.call('POST', '/auth/token', { body: { grant_type: 'client_credentials' } })
    expect([status, body.errors[0].path, body.detail]).toEqual([400, 'body.grantType', expect.stringContaining('POST /oauth2/token')])
  })

  it.each([
    ['a missing parameter', form({}), 400],
    ['JSON', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, 400],
    ['a body that is too large', form({ grant_type: 'x'.repeat(17_000) }), 413],
  ])('answers %s in its own form, and says what to do', async (_, request, status) => {
    const response = await fetch(`${accounts.url}/oauth2/token`, request)
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8'])
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringMatching(/required|Send|send/),
    })
  })
})

it.each([
  [415, { method: 'POST', body: 'a=1', headers: { 'content-type': 'text/plain' } }, 'Content-Type: application/json'],
  [413, { method: 'POST', body: `"${'x'.repeat(17_000)}"`, headers: { 'content-type': 'application/json' } }, '16384 bytes'],
])('a %s says what to do', async (status, request, advice) => {
  const response = await fetch(`${accounts.url}/users`, request)
  expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json; charset=utf-8'])
  expect(await response.json()).toMatchObject({ status, detail: expect.stringContaining(advice) })
})
