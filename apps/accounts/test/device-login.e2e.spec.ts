import { once } from 'node:events'
import { createServer } from 'node:net'
import { eventually } from '@trestle/testing/eventually'
import * as openid from 'openid-client'
import { type AccountsUnderTest, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'
import { authenticatorApp, claimsOf, factorsClient } from './factors.js'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

describe('signing in a device without a browser', () => {
  let accounts: AccountsUnderTest
  let ada: TestUser
  let origin: string
  beforeAll(async () => {
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    accounts = await startTestAccounts({ PORT: String(port), PUBLIC_URL: origin, BASE_PATH: '/accounts' })
    ada = await accounts.createUser()
  })
  afterAll(() => accounts.stop())
  afterEach(() => accounts.setClockAhead(0))

  async function post(path: string, form: Record<string, string>, from = '192.0.2.1') {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from, 'user-agent': 'trestle/1.0' }
    const response = await fetch(`${accounts.url}${path}`, { method: 'POST', headers, body: String(new URLSearchParams(form)) })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const begin = async (from?: string) => (await post('/oauth2/device_authorization', { client_id: 'trestle-cli' }, from)).body
  const poll = (deviceCode: string, from?: string) =>
    post('/oauth2/token', { grant_type: GRANT, client_id: 'trestle-cli', device_code: deviceCode }, from)
  const decide = (code: string, decision: string, token = ada.token) =>
    accounts.call('PUT', `/users/me/device-logins/${code}`, { token, body: { decision } })
  const errorOf = async (reply: ReturnType<typeof poll>) => {
    const { status, body } = await reply
    return [status, body.error]
  }

  it('is what any client of RFC 8628 does', async () => {
    const client = await openid.discovery(new URL(`${origin}/accounts`), 'trestle-cli', undefined, openid.None(), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })
    const begun = await openid.initiateDeviceAuthorization(client, {})
    expect(begun).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${origin}/app/device`,
      verification_uri_complete: `${origin}/app/device?code=${begun.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    expect((await decide(begun.user_code, 'approve')).status).toBe(204)
    const tokens = await openid.pollDeviceAuthorizationGrant(client, { ...begun, interval: 0.1 })
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 43_200 })
    expect(tokens.refresh_token).toBeUndefined()
    expect((await accounts.call('GET', '/users/me', { token: tokens.access_token })).body.id).toBe(ada.id)
  })

  it('shows the user who asks, from where and when', async () => {
    const { user_code } = await begin('192.0.2.7')
    const { status, body } = await accounts.call('GET', `/users/me/device-logins/${user_code.toLowerCase().replace('-', '')}`, {
      token: ada.token,
    })
    expect([status, body]).toEqual([
      200,
      { userCode: user_code, ip: '192.0.2.7', userAgent: 'trestle/1.0', createdAt: expect.any(String), expiresAt: expect.any(String) },
    ])
    expect(body).not.toHaveProperty('deviceCode')
  })

  it('waits, and slows down who does not', async () => {
    const pass = accounts.stopClock()
    const { device_code } = await begin()
    expect(await errorOf(poll(device_code))).toEqual([400, 'authorization_pending'])
    expect(await errorOf(poll(device_code))).toEqual([400, 'slow_down'])
    pass(9000)
    expect(await errorOf(poll(device_code))).toEqual([400, 'slow_down'])
    pass(15_000)
    expect(await errorOf(poll(device_code))).toEqual([400, 'authorization_pending'])
  })

  it('opens one session, of the command line, that ends as any other', async () => {
    const user = await accounts.createUser()
    const { device_code, user_code } = await begin('192.0.2.9')
    await decide(user_code, 'approve', user.token)
    const answers = await Promise.all([poll(device_code, '192.0.2.9'), poll(device_code, '192.0.2.9')])
    const granted = answers.filter(({ status }) => status === 200)
    expect(granted).toHaveLength(1)
    const { access_token: token } = granted[0]?.body ?? {}
    const { body: sessions } = await accounts.call('GET', '/users/me/sessions', { token })
    expect(sessions[0]).toMatchObject({ client: 'command-line', ip: '192.0.2.9', userAgent: 'trestle/1.0', current: true })
    expect(sessions[1]).not.toHaveProperty('client')
    expect(await errorOf(poll(device_code))).toEqual([400, 'invalid_grant'])
    expect((await accounts.mailed(user.email, 2))[0]?.subject).toBe('Sign-in from a new network')
    await accounts.call('DELETE', `/users/me/sessions/${sessions[0].id}`, { token: user.token })
    await accounts.refused(token)
  })

  it('has the proof of a second factor that who approves it has', async () => {
    const grace = await factorsClient(accounts).createAppUser()
    const { user_code, device_code } = await begin()
    expect((await decide(user_code, 'approve', grace.token)).status).toBe(204)
    const { body } = await poll(device_code)
    const [approving, device] = [claimsOf(grace.token), claimsOf(body.access_token)]
    expect(approving.amr).toContain('mfa')
    expect([device.amr, device.auth_time]).toEqual([approving.amr, approving.auth_time])
  })

  it('can be refused, and then by nobody approved', async () => {
    const { device_code, user_code } = await begin()
    expect((await decide(user_code, 'refuse')).status).toBe(204)
    expect((await decide(user_code, 'approve')).status).toBe(404)
    expect(await errorOf(poll(device_code))).toEqual([400, 'access_denied'])
  })

  it('is approved by one user, once', async () => {
    const eve = await accounts.createUser()
    const { user_code } = await begin()
    const statuses = await Promise.all([decide(user_code, 'approve'), decide(user_code, 'approve', eve.token)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  it('ends after 10 minutes, approved or not', async () => {
    const [one, two] = [await begin(), await begin()]
    await decide(one.user_code, 'approve')
    accounts.setClockAhead(600_001)
    for (const { device_code } of [one, two]) expect(await errorOf(poll(device_code))).toEqual([400, 'expired_token'])
    expect((await decide(two.user_code, 'approve')).status).toBe(404)
  })

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    ['has ended all sessions', ({ token }) => accounts.call('DELETE', '/users/me/sessions', { token })],
    ['was disabled', ({ id }) => accounts.sql.query('UPDATE "user" SET disabled_at = now() WHERE id = $1', [id])],
    ['is gone', ({ id }) => accounts.sql.query('DELETE FROM "user" WHERE id = $1', [id])],
  ])('gives nothing of a user who %s since', async (_, change) => {
    const user = await accounts.createUser()
    const { device_code, user_code } = await begin()
    await decide(user_code, 'approve', user.token)
    await change(user)
    const [status, error] = await errorOf(poll(device_code))
    expect([status, ['access_denied', 'invalid_grant'].includes(error)]).toEqual([400, true])
  })

  it('cannot be approved by a session of the command line, which would never end', async () => {
    const [one, two] = [await begin(), await begin()]
    await decide(one.user_code, 'approve')
    const { body } = await poll(one.device_code)
    const { status, body: problem } = await decide(two.user_code, 'approve', body.access_token)
    expect([status, problem.code]).toEqual([403, 'BrowserNeeded'])
  })

  it('is not approved by what replaces a session of the command line either', async () => {
    const user = await accounts.createUser()
    const [one, two] = [await begin(), await begin()]
    await decide(one.user_code, 'approve', user.token)
    const { body: device } = await poll(one.device_code)
    const newPassword = 'another long password of hers'
    const changed = await accounts.call('PUT', '/users/me/password', {
      token: device.access_token,
      body: { oldPassword: user.password, newPassword },
    })
    const { body: key } = await factorsClient(accounts).enrol(changed.body.accessToken, newPassword)
    const confirmed = await factorsClient(accounts).confirm(changed.body.accessToken, authenticatorApp(key.secret)())
    const token = confirmed.body.accessToken
    const { body: sessions } = await accounts.call('GET', '/users/me/sessions', { token })
    expect(sessions).toEqual([expect.objectContaining({ client: 'command-line', current: true })])
    expect(await decide(two.user_code, 'approve', token)).toMatchObject({ status: 403, body: { code: 'BrowserNeeded' } })
  })

  it('is not approved by a token whose session has ended, where that is not known yet', async () => {
    const user = await accounts.createUser()
    const { device_code, user_code } = await begin()
    // As by another replica: here nobody hears of it.
    await accounts.sql.query('UPDATE session SET ended_at = now() WHERE user_id = $1', [user.id])
    await accounts.sql.query('UPDATE "user" SET epoch = epoch + 1 WHERE id = $1', [user.id])
    expect(await decide(user_code, 'approve', user.token)).toMatchObject({ status: 401, body: { code: 'InvalidToken' } })
    expect(await errorOf(poll(device_code))).toEqual([400, 'authorization_pending'])
  })

  it('is not approved by a client key, or by nobody', async () => {
    const { user_code } = await begin()
    expect((await decide(user_code, 'approve', 'none')).status).toBe(401)
    const { body: key } = await accounts.call('POST', '/users/me/client-keys', { token: ada.token, body: {} })
    const { body } = await accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...key } })
    expect((await decide(user_code, 'approve', body.accessToken)).status).toBeGreaterThanOrEqual(401)
    expect((await decide(user_code, 'maybe')).status).toBe(400)
  })

  it('is not found by guessing user codes, not even by who has a right one of their own', async () => {
    const eve = await accounts.createUser()
    const own = (await begin()).user_code
    const codes = []
    for (let i = 0; i < 30; i++) {
      const guess = i % 5 === 4 ? own : `BCDF-GHJ${'BCDFGHJKLMNPQRSTVWXZ'.charAt(i % 20)}`
      const { body } = await accounts.call('GET', `/users/me/device-logins/${guess}`, { token: eve.token, from: `203.0.113.${i + 1}` })
      codes.push(body.code)
    }
    expect(codes.filter((code) => code === 'UnknownDeviceLogin')).toHaveLength(20)
    expect(codes.at(-1)).toBe('TooManyAttempts')
  })

  it('is not found by guessing device codes', async () => {
    const from = '203.0.113.200'
    const answers = []
    for (let i = 0; i < 32; i++) answers.push((await poll(`guess-${i}`, from)).status)
    expect(answers.slice(0, 30)).toEqual(Array(30).fill(400))
    expect(answers.slice(30)).toEqual([429, 429])
  })

  it('is for the command line alone', async () => {
    expect(await errorOf(post('/oauth2/device_authorization', { client_id: 'other' }))).toEqual([401, 'invalid_client'])
    const { device_code } = await begin()
    expect(await errorOf(post('/oauth2/token', { grant_type: GRANT, client_id: 'other', device_code }))).toEqual([401, 'invalid_client'])
    expect(await errorOf(post('/oauth2/token', { grant_type: GRANT, client_id: 'trestle-cli' }))).toEqual([400, 'invalid_grant'])
  })

  it('can be begun only so often from one network', async () => {
    const replica = await accounts.replica({ BUDGET_FACTOR: '0.05', PORT: '0' })
    const statuses = []
    for (let i = 0; i < 4; i++) {
      const headers = { 'x-forwarded-for': '203.0.113.201', 'content-type': 'application/x-www-form-urlencoded' }
      const response = await fetch(`${replica.url}/oauth2/device_authorization`, { method: 'POST', headers, body: 'client_id=trestle-cli' })
      statuses.push(response.status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    await replica.stop()
  })

  it('leaves the approval in the security log, and no poll', async () => {
    const user = await accounts.createUser()
    const { device_code, user_code } = await begin('192.0.2.77')
    await poll(device_code, '192.0.2.77')
    await poll(device_code, '192.0.2.77')
    await decide(user_code, 'approve', user.token)
    const sql = `SELECT kind, outcome, target FROM security_event WHERE user_id = $1 AND route LIKE '%device-logins%' OR client_address = '192.0.2.77'`
    const rows = await eventually(
      async () => {
        const found = await accounts.sql.query(sql, [user.id])
        return found.rows.length > 0 ? found.rows : undefined
      },
      'the approval is in the log',
      SOON_MS,
    )
    expect(rows).toEqual([{ kind: 'sign-in', outcome: 'success', target: { userCode: '[redacted]' } }])
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
