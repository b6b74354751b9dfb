import { getMembership, listKeys, listMembers } from '@trestle/contracts/accounts/messages'
import { decodeProtectedHeader } from 'jose'
import { type AccountsUnderTest, startTestAccounts, type TestUser } from './accounts.js'

let accounts: AccountsUnderTest
let user: TestUser
beforeAll(async () => {
  accounts = await startTestAccounts()
  user = await accounts.createUser()
})
afterAll(() => accounts.stop())

describe('GET /.well-known/jwks.json', () => {
  it('publishes the keys of the access tokens and no other', async () => {
    const { body: pair } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    const { body } = await accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...pair } })
    const [account, client, refresh] = [user.token, body.accessToken, body.refreshToken].map((token) => decodeProtectedHeader(token).kid)
    const { body: jwks, headers } = await accounts.call('GET', '/.well-known/jwks.json')
    expect(jwks.keys.map(({ kid }: { kid: string }) => kid).sort()).toEqual([account, client].sort())
    expect(JSON.stringify(jwks)).not.toContain(refresh)
    for (const key of jwks.keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    expect(headers.get('cache-control')).toBe('public, max-age=300')
  })

  it('is not sent again to a client that has it', async () => {
    const { headers } = await accounts.call('GET', '/.well-known/jwks.json')
    const etag = headers.get('etag') ?? ''
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await accounts.call('GET', '/.well-known/jwks.json', { headers: { 'if-none-match': tags } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await accounts.call('GET', '/.well-known/jwks.json', { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
  })
})

describe('GET /.well-known/oauth-authorization-server', () => {
  it.each(['', '/accounts'])('names everything by the address of the ingress, whatever Host was asked (%s)', async (suffix) => {
    const { body } = await accounts.call('GET', `/.well-known/oauth-authorization-server${suffix}`, {
      headers: { 'x-forwarded-host': 'evil.test' },
    })
    expect(body).toMatchObject({
      issuer: 'http://127.0.0.1:8080/accounts',
      token_endpoint: 'http://127.0.0.1:8080/accounts/oauth2/token',
      jwks_uri: 'http://127.0.0.1:8080/accounts/.well-known/jwks.json',
      grant_types_supported: ['client_credentials', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    })
  })
})

describe('other services', () => {
  it('learn the keys over NATS', async () => {
    const { body: jwks } = await accounts.call('GET', '/.well-known/jwks.json')
    const { account, client } = await accounts.ask(listKeys, {})
    expect([...account, ...client]).toEqual(jwks.keys)
  })

  it('learn the organization and the roles of a user', async () => {
    expect(await accounts.ask(getMembership, { userId: user.id })).toEqual({ organization: null, roles: [] })
    const { body } = await accounts.call('POST', '/organizations', { token: user.token, body: { name: 'Acme' } })
    expect(await accounts.ask(getMembership, { userId: user.id })).toEqual({
      organization: { id: body.id, name: 'Acme' },
      roles: ['owner'],
    })
  })

  it('learn who is in an organization', async () => {
    const founder = await accounts.createUser()
    const { body } = await accounts.call('POST', '/organizations', { token: founder.token, body: { name: 'Reported' } })
    const [member] = (await accounts.ask(listMembers, { organizationId: body.id })).members
    expect(member).toEqual({ userId: founder.id, email: founder.email, displayName: expect.any(String) })
    expect(await accounts.ask(listMembers, { organizationId: body.id, after: founder.id })).toEqual({ members: [] })
  })
})
