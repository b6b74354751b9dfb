import { hash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { type AccountsUnderTest, startTestAccounts, type TestUser } from './accounts.js'

interface KeyPair {
  clientId: string
  clientSecret: string
}

let accounts: AccountsUnderTest
let origin: string
let issuer: URL
let user: TestUser
let pair: KeyPair
beforeAll(async () => {
  // As behind the ingress: clients find the service at PUBLIC_URL, under its base path.
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  issuer = new URL(`${origin}/accounts`)
  accounts = await startTestAccounts({ PORT: String(port), PUBLIC_URL: origin, BASE_PATH: '/accounts' })
  user = await accounts.createUser()
  pair = await createKey()
})
afterAll(() => accounts.stop())

describe('openid-client, unmodified', () => {
  it.each([
    ['the header', openid.ClientSecretBasic],
    ['the form', openid.ClientSecretPost],
  ])('lives through a whole life of tokens, with its secret in %s', async (_, authentication) => {
    const config = await discover(authentication(pair.clientSecret))
    const issued = await openid.clientCredentialsGrant(config)
    expect(issued).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'staking nodes btc-connect eth-rpc' })
    const refreshToken = issued.refresh_token ?? ''

    const refreshed = await openid.refreshTokenGrant(config, refreshToken)
    expect(refreshed.access_token).not.toBe(issued.access_token)
    const introspected = await openid.tokenIntrospection(config, refreshed.access_token)
    expect(introspected).toMatchObject({ active: true, client_id: pair.clientId, sub: user.id, token_type: 'Bearer' })
    expect(await openid.tokenIntrospection(config, refreshToken)).toMatchObject({ active: true, scope: issued.scope })

    await openid.tokenRevocation(config, refreshToken)
    expect(await openid.tokenIntrospection(config, refreshToken)).toEqual({ active: false })
    await expect(openid.refreshTokenGrant(config, refreshToken)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
    await expect(accounts.call('POST', '/auth/token', { body: { grantType: 'refreshToken', refreshToken } })).resolves.toMatchObject({
      status: 401,
    })
  })

  it('finds the metadata on the direct port as well', async () => {
    const direct = new URL(`${accounts.url}/.well-known/oauth-authorization-server`)
    const config = await openid.discovery(direct, pair.clientId, pair.clientSecret, undefined, { execute: [openid.allowInsecureRequests] })
    expect(config.serverMetadata().token_endpoint).toBe(`${issuer}/oauth2/token`)
  })

  it('gets a token with fewer scopes, and never more by refreshing it', async () => {
    const config = await discover()
    const issued = await openid.clientCredentialsGrant(config, { scope: 'nodes' })
    expect(decodeJwt(issued.access_token)).toMatchObject({ aud: ['nodes'], scope: 'nodes' })
    const refreshed = await openid.refreshTokenGrant(config, issued.refresh_token ?? '')
    expect(refreshed.scope).toBe('nodes')
    const more = openid.refreshTokenGrant(config, issued.refresh_token ?? '', { scope: 'nodes staking' })
    await expect(more).rejects.toMatchObject({ error: 'invalid_scope', status: 400 })
  })

  it('gets a refresh token that replaces the former one as soon as it is used; reuse of that ends both', async () => {
    const config = await discover()
    const { refresh_token: first = '' } = await openid.clientCredentialsGrant(config, { scope: 'nodes' })
    const { refresh_token: second = '', scope } = await openid.refreshTokenGrant(config, first)
    expect(scope).toBe('nodes')
    expect(decodeJwt(second)).toMatchObject({ scope: 'nodes', exp: decodeJwt(first).exp })
    // An answer that was lost on its way is asked for again.
    const { refresh_token: other = '' } = await openid.refreshTokenGrant(config, first)
    const { refresh_token: third = '' } = await openid.refreshTokenGrant(config, second)
    expect(new Set([first, second, other, third]).size).toBe(4)
    expect(await openid.tokenIntrospection(config, first)).toEqual({ active: false })
    expect(await openid.tokenIntrospection(config, third)).toMatchObject({ active: true })

    const refusal = { error: 'invalid_grant', status: 400 }
    await expect(openid.refreshTokenGrant(config, first)).rejects.toMatchObject(refusal)
    for (const ended of [second, third, other]) await expect(openid.refreshTokenGrant(config, ended)).rejects.toMatchObject(refusal)
    const { refresh_token: unrelated = '' } = await openid.clientCredentialsGrant(config)
    expect((await openid.refreshTokenGrant(config, unrelated)).access_token).toEqual(expect.any(String))
  })

  it('cannot use a refresh token that it has not used for 90 days', async () => {
    const config = await discover()
    const { refresh_token: used = '' } = await openid.clientCredentialsGrant(config)
    const { refresh_token: unused = '' } = await openid.clientCredentialsGrant(config)
    const refresh = (refreshToken: string) => accounts.call('POST', '/auth/token', { body: { grantType: 'refreshToken', refreshToken } })
    const age = (token: string, column: string) =>
      accounts.sql.query(`UPDATE refresh_token SET ${column} = now() - interval '91 days' WHERE hash = $1`, [
        hash('sha256', String(decodeJwt(token).jti), 'buffer'),
      ])
    await age(used, 'issued_at')
    await age(unused, 'issued_at')
    await accounts.sql.query("UPDATE refresh_token SET used_at = now() - interval '89 days' WHERE hash = $1", [
      hash('sha256', String(decodeJwt(used).jti), 'buffer'),
    ])
    expect((await refresh(used)).status).toBe(200)
    expect((await refresh(unused)).body.code).toBe('InvalidRefreshToken')
    expect(await openid.tokenIntrospection(config, used)).toMatchObject({ active: true })
    await age(used, 'used_at')
    expect((await refresh(used)).body.code).toBe('InvalidRefreshToken')
  })

  it('is refused with the reason', async () => {
    const config = await discover(openid.ClientSecretBasic('wrong'))
    await expect(openid.clientCredentialsGrant(config)).rejects.toMatchObject({ code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', status: 401 })
    const posting = await discover(openid.ClientSecretPost('wrong'))
    await expect(openid.clientCredentialsGrant(posting)).rejects.toMatchObject({ error: 'invalid_client', status: 401 })
  })
})

describe('oauth4webapi', () => {
  it('validates our client tokens by RFC 9068, for the areas that they open and no other', async () => {
    const as = await oauth
      .discoveryRequest(issuer, { algorithm: 'oauth2', [oauth.allowInsecureRequests]: true })
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
    const { access_token: token } = await openid.clientCredentialsGrant(await discover())
    const request = new Request('http://resource.test', { headers: { authorization: `Bearer ${token}` } })
    const options = { [oauth.allowInsecureRequests]: true }
    expect(await oauth.validateJwtAccessToken(as, request, 'nodes', options)).toMatchObject({ client_id: pair.clientId })
    await expect(oauth.validateJwtAccessToken(as, request, 'accounts', options)).rejects.toMatchObject({
      code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
    })
    const account = new Request('http://resource.test', { headers: { authorization: `Bearer ${user.token}` } })
    await expect(oauth.validateJwtAccessToken(as, account, 'nodes', options)).rejects.toThrow()
  })
})

describe('the OAuth endpoints', () => {
  const credentials = () => ({ client_id: pair.clientId, client_secret: pair.clientSecret })

  it('are not cached', async () => {
    const { response } = await post('token', { ...credentials(), grant_type: 'client_credentials' })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('answer errors in the shape of RFC 6749, and as a problem', async () => {
    const { response, body } = await post('token', { ...credentials(), grant_type: 'password' })
    expect(response.headers.get('content-type')).toMatch('application/json')
    expect(body).toMatchObject({
      error: 'unsupported_grant_type',
      error_description: expect.any(String),
      code: 'UnsupportedGrantType',
      status: 400,
    })
    expect(body.requestId).toBe(response.headers.get('x-request-id'))
  })

  it.each<[string, Record<string, string>, Record<string, string>, number, string]>([
    ['no grant type', { client_id: 'x', client_secret: 'y' }, {}, 400, 'invalid_request'],
    ['no client', { grant_type: 'client_credentials' }, {}, 401, 'invalid_client'],
    ['a bearer token for a client', { grant_type: 'client_credentials' }, { authorization: 'Bearer x' }, 401, 'invalid_client'],
    ['a client that is wrong', { grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' }, {}, 401, 'invalid_client'],
    [
      'two ways at once',
      { grant_type: 'client_credentials', client_secret: 'y' },
      { authorization: `Basic ${btoa('x:y')}` },
      400,
      'invalid_request',
    ],
  ])('refuse %s', async (_, form, headers, status, error) => {
    const { response, body } = await post('token', form, headers)
    expect([response.status, body.error]).toEqual([status, error])
    const usedHeader = 'authorization' in headers
    expect(response.headers.get('www-authenticate') !== null).toBe(status === 401 && usedHeader)
  })

  it('accept only a form', async () => {
    const json = JSON.stringify({ ...credentials(), grant_type: 'client_credentials' })
    const { response, body } = await post('token', json, { 'content-type': 'application/json' })
    expect([response.status, body.error]).toEqual([400, 'invalid_request'])
    const twice = await post('token', 'grant_type=client_credentials&grant_type=client_credentials', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect([twice.response.status, twice.body.error]).toEqual([400, 'invalid_request'])
  })

  it('refuse a refresh token of another client', async () => {
    const other = await createKey()
    const { body: issued } = await post('token', {
      client_id: other.clientId,
      client_secret: other.clientSecret,
      grant_type: 'client_credentials',
    })
    const { response, body } = await post('token', { ...credentials(), grant_type: 'refresh_token', refresh_token: issued.refresh_token })
    expect([response.status, body.error]).toEqual([400, 'invalid_grant'])
    const revoked = await post('revoke', { ...credentials(), token: issued.refresh_token })
    expect([revoked.response.status, revoked.body.error]).toEqual([400, 'invalid_grant'])
    expect((await post('introspect', { ...credentials(), token: issued.refresh_token })).body).toEqual({ active: false })
    expect((await post('introspect', { ...credentials(), token: issued.access_token })).body).toEqual({ active: false })
  })

  it('ignore an unknown token, and say that an access token cannot be revoked', async () => {
    const unknown = await post('revoke', { ...credentials(), token: 'unknown', token_type_hint: 'whatever' })
    expect([unknown.response.status, unknown.body]).toEqual([200, {}])
    const { body: issued } = await post('token', { ...credentials(), grant_type: 'client_credentials' })
    const { response, body } = await post('revoke', { ...credentials(), token: issued.access_token })
    expect([response.status, body.error]).toEqual([400, 'unsupported_token_type'])
  })

  it.each(['revoke', 'introspect'])('let nobody %s without client credentials or without a token', async (endpoint) => {
    expect((await post(endpoint, { token: 'x' })).response.status).toBe(401)
    expect((await post(endpoint, credentials())).body.error).toBe('invalid_request')
  })

  it('treat a token as invalid once its key or its user is gone', async () => {
    const { body: issued } = await post('token', { ...credentials(), grant_type: 'client_credentials' })
    expect((await post('introspect', { ...credentials(), token: issued.access_token })).body.active).toBe(true)
    expect((await post('introspect', { ...credentials(), token: user.token })).body).toEqual({ active: false })
    await accounts.sql.query('UPDATE "user" SET epoch = epoch + 1 WHERE id = $1', [user.id])
    expect((await post('introspect', { ...credentials(), token: issued.access_token })).body).toEqual({ active: false })
    await accounts.sql.query('UPDATE "user" SET epoch = epoch - 1 WHERE id = $1', [user.id])
  })
})

function discover(authentication = openid.ClientSecretBasic(pair.clientSecret)): Promise<openid.Configuration> {
  return openid.discovery(issuer, pair.clientId, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  })
}

async function post(endpoint: string, form: Record<string, string> | string, headers: Record<string, string> = {}) {
  const response = await fetch(`${issuer}/oauth2/${endpoint}`, {
    method: 'POST',
    headers,
    body: typeof form === 'string' ? form : new URLSearchParams(form),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  return { response, body: (await response.json()) as any }
}

async function createKey(): Promise<KeyPair> {
  return (await accounts.call('POST', '/users/me/client-keys', { token: user.token })).body
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
