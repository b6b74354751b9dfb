import { randomUUID } from 'node:crypto'
import type { SecurityEvent } from '@trestle/contracts/security-event'
import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, type HttpReply, PASSWORD, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'

let accounts: AccountsUnderTest
let administrator: TestUser
beforeAll(async () => {
  accounts = await startTestAccounts({ ADMINISTRATORS: 'root@example.org' })
  administrator = await accounts.createUser({ email: 'root@example.org' })
})
afterAll(() => accounts.stop())

describe('the security log', () => {
  it('has every kind of act in this area, with who, from where, through what and how it ended', async () => {
    const user = await accounts.createUser()
    const { body: key } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    await accounts.call('DELETE', `/users/me/client-keys/${key.clientId}`, { token: user.token })
    await accounts.call('POST', '/organizations', { token: user.token, body: { name: 'Ltd' } })
    await accounts.call('PUT', '/users/me/password', { token: user.token, body: { oldPassword: PASSWORD, newPassword: `${PASSWORD} 2` } })
    const token = await accounts.signIn(user.email, `${PASSWORD} 2`)
    await accounts.call('DELETE', '/users/me/sessions', { token })
    const events = await eventsOf({ user: user.id }, 7)
    expect(events.map(({ kind, outcome }) => `${kind} ${outcome}`).reverse()).toEqual([
      'sign-in success',
      'key-created success',
      'key-deleted success',
      'organization-changed success',
      'password-changed success',
      'sign-in success',
      'sign-out success',
    ])
    expect(events.find(({ kind }) => kind === 'key-deleted')).toEqual({
      id: expect.stringMatching(/^security-/),
      createdAt: expect.any(String),
      kind: 'key-deleted',
      outcome: 'success',
      user: user.id,
      session: expect.stringMatching(/^session-/),
      clientAddress: '127.0.0.1',
      userAgent: expect.any(String),
      service: 'accounts',
      method: 'DELETE',
      route: '/users/me/client-keys/{id}',
      target: { id: key.clientId },
      status: 204,
      requestId: expect.any(String),
    })
  })

  it('has the acts of people without a token under a hash of their address', async () => {
    const user = await accounts.createUser()
    await accounts.call('POST', '/users/password-resets', { body: { email: user.email } })
    await accounts.call('PUT', `/users/${user.email}/password-resets/nothing`, { body: { newPassword: `${PASSWORD} 3` } })
    const events = await eventsOf({ email: user.email }, 5)
    expect(events.map(({ kind, outcome }) => `${kind} ${outcome}`).reverse()).toEqual([
      'sign-up success',
      'email-verified success',
      'sign-in success',
      'password-reset-requested success',
      'password-reset failure',
    ])
    expect(events.map(({ attempted }) => attempted)).toEqual(Array(5).fill(events[0]?.attempted))
  })

  it('has members and roles', async () => {
    const [owner, member] = [await accounts.createUser(), await accounts.createUser()]
    const { body: organization } = await accounts.call('POST', '/organizations', { token: owner.token, body: { name: 'Both' } })
    const path = `/organizations/${organization.id}`
    await accounts.call('POST', `${path}/invitations`, { token: owner.token, body: { email: member.email, roles: ['billing'] } })
    const [mail] = await accounts.mailed(member.email, 2)
    const [, invitation] = /accounts\/invitations\/(\S+)/.exec(mail?.text ?? '') ?? []
    await accounts.call('PUT', `/invitations/${invitation}`, { token: member.token })
    await accounts.call('PUT', `${path}/members/${member.id}`, { token: owner.token, body: { roles: ['auditor'] } })
    await accounts.call('DELETE', `${path}/members/${member.id}`, { token: owner.token })
    const acts = (await eventsOf({ user: owner.id }, 5)).map(({ kind, status }) => `${kind} ${status}`)
    expect(acts.slice(0, 3).reverse()).toEqual(['member-invited 201', 'role-changed 200', 'member-left 204'])
    const [joined] = await eventsOf({ user: member.id, kind: 'member-joined' }, 1)
    expect(joined).toMatchObject({ route: '/invitations/{token}', target: { token: '[redacted]' } })
  })

  it('has the acts of administrators, with whom they concern', async () => {
    const user = await accounts.createUser()
    await ask('POST', `/users/${user.id}/disable`)
    await ask('POST', `/users/${user.id}/enable`)
    await ask('POST', '/signing-keys/rotate')
    await ask('POST', '/mails/mail-unknown/resend')
    const events = await eventsOf({ user: administrator.id }, 5)
    expect(events.slice(0, 4).map(({ kind, outcome, code, target }) => [kind, outcome, code, target])).toEqual([
      ['administrator-act', 'failure', 'UnknownMail', { id: 'mail-unknown' }],
      ['signing-key-rotated', 'success', undefined, {}],
      ['user-enabled', 'success', undefined, { id: user.id }],
      ['user-disabled', 'success', undefined, { id: user.id }],
    ])
  })

  it('has refused tokens, and none that was issued', async () => {
    const user = await accounts.createUser()
    const { body: key } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    const grant = { grantType: 'clientCredentials', ...key }
    const { body: issued } = await accounts.call('POST', '/auth/token', { body: grant })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await fetch(`${accounts.url}/oauth2/revoke`, {
      method: 'POST',
      headers: form,
      body: new URLSearchParams({ client_id: key.clientId, client_secret: key.clientSecret, token: issued.refreshToken }),
    })
    await fetch(`${accounts.url}/oauth2/token`, {
      method: 'POST',
      headers: form,
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: key.clientId, client_secret: 'wrong' }),
    })
    await accounts.call('POST', '/auth/token', { body: { ...grant, clientSecret: 'wrong' } })
    const [refused, refusedForm] = await eventsOf({ kind: 'token-refused' }, 2)
    expect(refused).toMatchObject({ outcome: 'failure', route: '/auth/token', code: 'InvalidClient', attempted: expect.any(String) })
    expect(refusedForm).toMatchObject({ route: '/oauth2/token', code: 'InvalidClient', attempted: refused?.attempted })
    expect(await eventsOf({ user: user.id, kind: 'token-revoked' }, 1)).toHaveLength(1)
    expect(await eventsOf({ user: user.id, kind: 'token-refused' }, 0)).toEqual([])
  })

  it('correlates failed sign-ins to one address without naming it, and counts them', async () => {
    const name = randomUUID()
    const failures = [`${name}@example.org`, `${name.toUpperCase()}@EXAMPLE.org`, `${name}@example.net`]
    for (const address of failures) await accounts.call('POST', '/auth', { basic: `${address}:wrong` })
    const events = await eventsOf({ email: `${name}@example.org` }, 2)
    expect(events).toHaveLength(2)
    expect(events[0]).toMatchObject({ kind: 'sign-in', outcome: 'failure', status: 401, code: 'InvalidCredentials', target: {} })
    expect(events[0]).not.toHaveProperty('user')
    const { rows } = await accounts.sql.query('SELECT to_jsonb(t)::text AS row FROM accounts.security_event t')
    expect(rows.filter(({ row }) => row.toLowerCase().includes(name) || row.includes(PASSWORD) || row.includes('@example'))).toEqual([])
    const metrics = await fetch(`${accounts.service.internalUrl}/metrics`).then((answer) => answer.text())
    expect(metrics).toMatch(/security_events_total\{kind="sign-in",outcome="failure"\} [3-9]/)
  })

  it('has what other services report, each once and under their own name', async () => {
    const user = await accounts.createUser()
    const event: SecurityEvent = {
      id: `security-${randomUUID()}`,
      createdAt: new Date().toISOString(),
      kind: 'exit-requested',
      outcome: 'success',
      user: user.id,
      clientKey: `client-${randomUUID()}`,
      clientAddress: '2001:db8::1',
      service: 'staking',
      method: 'POST',
      route: '/x',
      target: { pubkey: 'a\0' },
      status: 204,
      requestId: 'r',
    }
    const body = JSON.stringify({ events: [{ ...event, service: 'accounts' }] })
    for (const id of ['1', '2'])
      await accounts.staking.streams.publish({ stream: 'SECURITY', subject: 'staking.security-event.recorded', body, headers: {}, id })
    expect(await eventsOf({ user: user.id, kind: 'exit-requested' }, 1)).toEqual([{ ...event, target: { pubkey: 'a\ufffd' } }])
  })

  it('stores a success with the request, so that no crash and no NATS that is away loses it', async () => {
    const user = await accounts.createUser()
    await accounts.nats.kill()
    const { headers } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    const { rows } = await accounts.sql.query(
      "SELECT payload->'events'->0->>'requestId' AS id FROM accounts.outbox WHERE subject = 'accounts.security-event.recorded' AND published_at IS NULL",
    )
    expect(rows.map(({ id }) => id)).toContain(headers.get('x-request-id'))
    await accounts.nats.start()
    const [event] = await eventsOf({ user: user.id, kind: 'key-created' }, 1)
    expect(event?.requestId).toBe(headers.get('x-request-id'))
  })

  it('is paged, and sent as JSON lines, oldest first', async () => {
    const user = await accounts.createUser()
    for (let i = 0; i < 5; i++) await accounts.call('DELETE', '/users/me/client-keys/none', { token: user.token })
    const all = await eventsOf({ user: user.id }, 6)
    const seen: SecurityEvent[] = []
    let path: string | undefined = `/security-log?user=${user.id}&limit=4`
    while (path) {
      const { body, headers } = await ask('GET', path)
      seen.push(...body)
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(all)
    const { text, headers } = await ask('GET', `/security-log/lines?user=${user.id}`)
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const lines = text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(all.toReversed())
    expect((await ask('GET', `/security-log/lines?user=${user.id}&outcome=success`)).text.split('\n')).toHaveLength(2)
  })

  it.each(['/security-log', '/security-log/lines'])('is closed to users at %s', async (path) => {
    const user = await accounts.createUser()
    const { status } = await accounts.call('GET', path, { token: user.token })
    expect(status).toBe(403)
    expect((await accounts.call('GET', path)).status).toBe(401)
  })

  it.each([
    ['?kind=unknown', 'InvalidInput'],
    ['?limit=1001', 'InvalidInput'],
    ['?user=ada', 'InvalidInput'],
    ['?email=not-an-address', 'InvalidEmail'],
    ['?cursor=abc', 'InvalidCursor'],
    ['?from=2026-11-22&to=2026-11-21', 'InvalidRange'],
  ])('refuses %s', async (query, code) => {
    const { status, body } = await ask('GET', `/security-log${query}`)
    expect([status, body.code]).toEqual([400, code])
  })
})

function ask(method: string, path: string): Promise<HttpReply> {
  return accounts.call(method, path, { token: administrator.token })
}

/** The events that match, newest first, once there are so many. */
function eventsOf(filters: Record<string, string>, count: number): Promise<SecurityEvent[]> {
  return eventually(
    async () => {
      const { body } = await ask('GET', `/security-log?${new URLSearchParams(filters)}`)
      return body.length >= count ? body : undefined
    },
    `${count} events`,
    SOON_MS,
  )
}
