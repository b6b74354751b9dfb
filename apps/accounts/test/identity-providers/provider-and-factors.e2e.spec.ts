import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browse, CLIENT, startOpenIdProvider } from '@trestle/testing/openid-provider'
import { type AccountsUnderTest, startTestAccounts } from '../accounts.js'
import { authenticatorApp, claimsOf, factorsClient } from '../factors.js'
import { softwarePasskey } from '../passkey.js'
import { providersFile } from './providers-file.js'

const PUBLIC_URL = 'http://127.0.0.1:8080'

describe('a sign-in with a provider', () => {
  let folder: string
  let provider: Awaited<ReturnType<typeof startOpenIdProvider>>
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trestle-providers-'))
    writeFileSync(join(folder, 'secret'), CLIENT.secret)
    provider = await startOpenIdProvider([`${PUBLIC_URL}/session/callback/acme`])
    const entry = `issuer: '${provider.issuer}', clientId: ${CLIENT.id}, clientSecretFile: '${join(folder, 'secret')}'`
    const configuration = `providers: [{id: acme, title: Acme, preset: keycloak, ${entry}, domains: [acme.example], required: true}]`
    accounts = await startTestAccounts({ IDENTITY_PROVIDERS_FILE: providersFile(folder, configuration) })
  })
  afterAll(async () => {
    await accounts?.stop()
    await provider.stop()
    rmSync(folder, { recursive: true })
  })
  afterEach(() => accounts.setClockAhead(0))

  async function signIn() {
    const { body } = await accounts.call('POST', '/identity-providers/acme/sign-ins')
    const callback = await browse(body.authorizationUrl, PUBLIC_URL)
    return accounts.call('POST', '/identity-providers/acme/sessions', { body: { attempt: body.attempt, callback } })
  }
  /** Somebody whom the provider names, and the token of their first sign-in. */
  async function signedIn(): Promise<string> {
    provider.person(randomUUID(), { email: `${randomUUID()}@acme.example`, email_verified: true })
    return (await signIn()).body.accessToken
  }

  it('is the first step of who has a second factor here, and is named as no password', async () => {
    const factors = factorsClient(accounts)
    const token = await signedIn()
    accounts.setClockAhead(11 * 60_000)
    expect(await accounts.call('POST', '/users/me/second-factors/totp', { token })).toMatchObject({
      status: 401,
      body: { code: 'StepUpRequired', detail: expect.stringContaining('sign in with your identity provider again') },
    })
    accounts.setClockAhead(0)
    const code = authenticatorApp((await accounts.call('POST', '/users/me/second-factors/totp', { token })).body.secret)
    const confirmed = await factors.confirm(token, code(-1))
    expect(claimsOf(confirmed.body.accessToken).amr).toEqual(['otp', 'mfa'])
    const asked = await signIn()
    expect([asked.status, asked.body.code, asked.body.methods]).toEqual([403, 'SecondFactorRequired', ['totp', 'recovery-code']])
    const { body } = await factors.answer(asked.body.challenge, { code: code() })
    expect(claimsOf(body.accessToken).amr).toEqual(['otp', 'mfa'])
    const { body: sessions } = await accounts.call('GET', '/users/me/sessions', { token: body.accessToken })
    expect(sessions.find(({ current }: { current: boolean }) => current)).toMatchObject({ provider: 'acme' })
  })

  it('is not replaced by a passkey where the domain requires the provider', async () => {
    const token = await signedIn()
    const passkey = softwarePasskey()
    const { challenge } = (await accounts.call('POST', '/users/me/second-factors/passkeys', { token })).body
    const body = { challenge, name: 'Laptop', passkey: passkey.create({ challenge }) }
    expect((await accounts.call('POST', '/users/me/second-factors/passkeys/confirm', { token, body })).status).toBe(200)
    const alone = (await accounts.call('POST', '/auth/passkey')).body
    const answer = await factorsClient(accounts).answer(alone.challenge, { passkey: passkey.get({ challenge: alone.challenge }) })
    expect([answer.status, answer.body.code]).toEqual([403, 'SignInWithProvider'])
    const asked = (await signIn()).body
    const after = await factorsClient(accounts).answer(asked.challenge, { passkey: passkey.get({ challenge: asked.challenge }) })
    expect(after.status).toBe(200)
  })

  it('proves who has no password to be the owner, for ten minutes', async () => {
    const token = await signedIn()
    const change = () => accounts.call('POST', '/users/me/email-changes', { token, body: { email: `${randomUUID()}@acme.example` } })
    expect((await change()).status).toBe(202)
    accounts.setClockAhead(11 * 60_000)
    const refused = await change()
    accounts.setClockAhead(0)
    expect([refused.status, refused.body.code]).toEqual([401, 'StepUpRequired'])
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_user_authentication"')
  })

  it('proves nothing by a session that a device got through an older one', async () => {
    const token = await signedIn()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const post = async (path: string, fields: Record<string, string>) => {
      const body = String(new URLSearchParams(fields))
      return (await (await fetch(`${accounts.url}${path}`, { method: 'POST', headers: form, body })).json()) as Record<string, string>
    }
    const { device_code = '', user_code } = await post('/oauth2/device_authorization', { client_id: 'trestle-cli' })
    await accounts.call('PUT', `/users/me/device-logins/${user_code}`, { token, body: { decision: 'approve' } })
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: 'trestle-cli' }
    const { access_token: device } = await post('/oauth2/token', { ...grant, device_code })
    expect((await accounts.call('GET', '/users/me', { token: device })).status).toBe(200)
    for (const [method, path, body] of [
      ['POST', '/users/me/deletion', {}],
      ['POST', '/users/me/email-changes', { email: `${randomUUID()}@acme.example` }],
      ['POST', '/users/me/second-factors/totp', {}],
    ] as const)
      expect(await accounts.call(method, path, { token: device, body })).toMatchObject({ status: 401, body: { code: 'StepUpRequired' } })
  })

  it('proves who has no password to be the owner by a fresh second factor, also long after the sign-in', async () => {
    const factors = factorsClient(accounts)
    const token = await signedIn()
    const code = authenticatorApp((await accounts.call('POST', '/users/me/second-factors/totp', { token })).body.secret)
    const { accessToken } = (await factors.confirm(token, code(-1))).body
    expect((await factors.list(accessToken)).body).toMatchObject({ hasPassword: false })
    await accounts.sql.query("UPDATE session SET created_at = created_at - interval '1 hour' WHERE provider = 'acme'")
    const change = () =>
      accounts.call('POST', '/users/me/email-changes', { token: accessToken, body: { email: `${randomUUID()}@acme.example` } })
    expect((await change()).status).toBe(202)
    accounts.setClockAhead(11 * 60_000)
    expect(await change()).toMatchObject({ status: 401, body: { code: 'StepUpRequired' } })
  })

  it('is kept by the session that replaces it with the first factor and after the last', async () => {
    const factors = factorsClient(accounts)
    const token = await signedIn()
    const providers = async (by: string) => {
      const { body } = await accounts.call('GET', '/users/me/sessions', { token: by })
      return body.map(({ provider: id, current }: { provider?: string; current: boolean }) => [id, current])
    }
    const code = authenticatorApp((await accounts.call('POST', '/users/me/second-factors/totp', { token })).body.secret)
    const { accessToken } = (await factors.confirm(token, code(-1))).body
    expect(await providers(accessToken)).toEqual([['acme', true]])
    const [{ id }] = (await factors.list(accessToken)).body.factors
    const removed = await accounts.call('DELETE', `/users/me/second-factors/${id}`, { token: accessToken })
    expect(await providers(removed.body.accessToken)).toEqual([['acme', true]])
  })

  it('cannot be left by exchanging the address for one of another domain', async () => {
    const token = await signedIn()
    const change = (domain: string) =>
      accounts.call('POST', '/users/me/email-changes', { token, body: { email: `${randomUUID()}@${domain}` } })
    expect(await change('elsewhere.example')).toMatchObject({ status: 409, body: { code: 'ManagedAddress' } })
    expect((await change('acme.example')).status).toBe(202)
  })
})
