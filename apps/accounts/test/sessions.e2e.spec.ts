import type { Activity } from '@trestle/contracts/activity'
import { eventually } from '@trestle/testing/eventually'
import { IdleSessionsService } from '../src/sessions/idle-sessions.service.js'
import { SessionsService } from '../src/sessions/sessions.service.js'
import { type AccountsUnderTest, accountsClient, PASSWORD, SOON_MS, startTestAccounts } from './accounts.js'

const MINUTE_MS = 60_000

describe('sessions', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  const list = async (token: string) => (await accounts.call('GET', '/users/me/sessions', { token })).body

  it('are listed with their origin, newest first', async () => {
    const { email, token } = await accounts.createUser()
    const elsewhere = await accounts.call('POST', '/auth', {
      basic: `${email}:${PASSWORD}`,
      from: '203.0.113.9',
      headers: { 'user-agent': `Browser/1.0 ${'x'.repeat(1000)}` },
    })
    expect(await list(token)).toEqual([
      {
        id: expect.stringMatching(/^session-[0-9a-f-]{36}$/),
        ip: '203.0.113.9',
        userAgent: expect.stringMatching(/^Browser\/1\.0 x{100,300}$/),
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
        usedAt: expect.stringMatching(/Z$/),
        current: false,
      },
      expect.objectContaining({ ip: '127.0.0.1', current: true }),
    ])
    const [newest] = await list(elsewhere.body.accessToken)
    expect(newest.current).toBe(true)
    expect(Date.parse(newest.expiresAt) - Date.parse(newest.createdAt)).toBe(12 * 3600_000)
  })

  it('end one by one: only the token of that session becomes invalid', async () => {
    const { email, token } = await accounts.createUser()
    const other = await accounts.signIn(email)
    const [{ id }] = await list(token)
    expect((await accounts.call('DELETE', `/users/me/sessions/${id}`, { token })).status).toBe(204)
    await accounts.refused(other)
    expect(await list(token)).toHaveLength(1)
    const again = await accounts.call('DELETE', `/users/me/sessions/${id}`, { token })
    expect([again.status, again.body.code]).toEqual([404, 'UnknownSession'])
  })

  it('of others can neither be listed nor ended', async () => {
    const [ada, eve] = [await accounts.createUser(), await accounts.createUser()]
    const [{ id }] = await list(ada.token)
    expect((await list(eve.token)).map((session: { id: string }) => session.id)).not.toContain(id)
    for (const path of [id, 'session-1', '%2e%2e%2f', 'x'.repeat(90)]) {
      const { status } = await accounts.call('DELETE', `/users/me/sessions/${path}`, { token: eve.token })
      expect(status).toBe(404)
    }
    expect(await list(ada.token)).toHaveLength(1)
  })

  it('end everywhere at once', async () => {
    const { email, token } = await accounts.createUser()
    const other = await accounts.signIn(email)
    const { status, text } = await accounts.call('DELETE', '/users/me/sessions', { token, headers: { 'content-type': 'application/json' } })
    expect([status, text]).toEqual([204, ''])
    await Promise.all([accounts.refused(token), accounts.refused(other)])
    expect(await list(await accounts.signIn(email))).toHaveLength(1)
  })

  it('end in every replica', async () => {
    const replica = await accounts.replica()
    const { token } = await accounts.createUser()
    const url = `${replica.url}/users/me`
    const ask = () => fetch(url, { headers: { authorization: `Bearer ${token}` } })
    await eventually(async () => (await ask()).status === 200 || undefined, 'the replica knows the token', SOON_MS)
    await accounts.call('DELETE', '/users/me/sessions', { token })
    await eventually(async () => (await ask()).status === 401 || undefined, 'the replica refuses the token', SOON_MS)
    await replica.stop()
  })

  it('need a signed-in user', async () => {
    for (const [method, path] of [
      ['GET', '/users/me'],
      ['PATCH', '/users/me'],
      ['PUT', '/users/me/password'],
      ['GET', '/users/me/sessions'],
      ['DELETE', '/users/me/sessions'],
      ['DELETE', '/users/me/sessions/session-1'],
    ] as const) {
      const { status, headers, body } = await accounts.call(method, path)
      expect([path, status, body.code, headers.get('www-authenticate')?.startsWith('Bearer')]).toEqual([
        path,
        401,
        expect.any(String),
        true,
      ])
    }
  })
})

describe('a session that nobody uses', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts({ SESSION_IDLE_MINUTES: '30' })
  })
  afterAll(() => accounts.stop())

  const endIdle = () => accounts.service.app.get(IdleSessionsService, { strict: false }).endIdle()
  const sessionsOf = async (userId: string) =>
    (await accounts.sql.query('SELECT id, used_at, ended_at FROM session WHERE user_id = $1 ORDER BY created_at', [userId])).rows

  it('ends within two seconds of the check, in every replica; one that is used stays', async () => {
    const replica = accountsClient(await accounts.replica())
    const { id, email, token: idle } = await accounts.createUser()
    const used = await accounts.signIn(email)
    const statusAt = async ({ call }: Pick<AccountsUnderTest, 'call'>, token: string) => (await call('GET', '/users/me', { token })).status
    await eventually(async () => (await statusAt(replica, idle)) === 200 || undefined, 'the replica knows the token', SOON_MS)
    accounts.setClockAhead(29 * MINUTE_MS)
    await endIdle()
    expect(await statusAt(accounts, idle)).toBe(200)
    const [idleSession, usedSession] = await sessionsOf(id)
    await accounts.sql.query('UPDATE session SET used_at = created_at WHERE user_id = $1', [id])
    await recordUse(usedSession.id, new Date(Date.now() + 29 * MINUTE_MS))

    accounts.setClockAhead(31 * MINUTE_MS)
    await endIdle()
    const endedAt = performance.now()
    for (const each of [accounts, replica])
      await eventually(async () => (await statusAt(each, idle)) === 401 || undefined, 'the token is refused', SOON_MS)
    expect(performance.now() - endedAt).toBeLessThan(2_000)
    for (const each of [accounts, replica]) expect(await statusAt(each, used)).toBe(200)
    const [ended, open] = await sessionsOf(id)
    expect([ended.id, ended.ended_at === null, open.ended_at]).toEqual([idleSession.id, false, null])
    accounts.setClockAhead(0)
  })

  it('is used by a request to any service, which is saved once in five minutes', async () => {
    const { id } = await accounts.createUser()
    const [{ id: session, used_at: openedAt }] = await sessionsOf(id)
    const at = (ms: number) => new Date(openedAt.getTime() + ms)
    const usedAt = async () => (await sessionsOf(id))[0].used_at
    accounts.setClockAhead(20 * MINUTE_MS)
    await recordUse(session, at(4 * MINUTE_MS))
    expect(await usedAt()).toEqual(openedAt)
    await recordUse(session, at(6 * MINUTE_MS))
    await recordUse(session, at(2 * MINUTE_MS))
    await recordUse(session, at(9 * MINUTE_MS))
    expect(await usedAt()).toEqual(at(6 * MINUTE_MS))
    // The clock of a service may be wrong.
    await recordUse(session, at(24 * 60 * MINUTE_MS))
    expect((await usedAt()).getTime()).toBeLessThan(Date.now() + 21 * MINUTE_MS)
    accounts.setClockAhead(0)
  })

  it('is reported with its last use, without anybody recording it by hand', async () => {
    const { id, token } = await accounts.createUser()
    await accounts.sql.query("UPDATE session SET used_at = used_at - interval '10 minutes' WHERE user_id = $1", [id])
    await eventually(
      async () => {
        const [{ createdAt, usedAt }] = (await accounts.call('GET', '/users/me/sessions', { token })).body
        return usedAt >= createdAt || undefined
      },
      'the use is recorded',
      SOON_MS,
    )
  })

  /** As the consumer does with the activity of another service. */
  function recordUse(session: string, at: Date): Promise<void> {
    const activity = { serviceData: { actor: { session } }, createdAt: at.toISOString() } as unknown as Activity
    return accounts.service.app.get(SessionsService, { strict: false }).recordUses([activity])
  }
})

describe('the profile', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  it('changes only the given members', async () => {
    const { token } = await accounts.createUser()
    const before = (await accounts.call('GET', '/users/me', { token })).body
    const billingAddress = { country: 'AT', zipCode: '1010', address: 'Ring 1', state: 'W' }
    const { status, body } = await accounts.call('PATCH', '/users/me', {
      token,
      body: { displayName: 'Lovelace AG', entityType: 'company', billingAddress },
    })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, displayName: 'Lovelace AG', entityType: 'company', billingAddress, updatedAt: body.updatedAt })
    expect(body.updatedAt > before.updatedAt).toBe(true)
    const after = await accounts.call('PATCH', '/users/me', { token, body: { displayName: 'Ada' } })
    expect(after.body).toEqual({ ...body, displayName: 'Ada', updatedAt: after.body.updatedAt })
  })

  it.each<[string, unknown]>([
    ['another e-mail address', { displayName: 'Ada', email: 'eve@example.org' }],
    ['another id', { displayName: 'Ada', id: 'user-1' }],
    ['a time of verification', { displayName: 'Ada', verifiedAt: null }],
    ['a name that is empty', { displayName: ' ' }],
    ['half a billing address', { billingAddress: { country: 'CH' } }],
    ['null', null],
    ['a list', []],
  ])('refuses %s', async (_, body) => {
    const { token } = await accounts.createUser()
    const answer = await accounts.call('PATCH', '/users/me', { token, body })
    expect([answer.status, answer.body.code]).toEqual([400, 'InvalidInput'])
  })

  it('is read for many callers at the same time, for each their own', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => accounts.createUser()))
    const asked = Array.from({ length: 80 }, (_, index) => users[index % users.length]!)
    const answers = await Promise.all(asked.map(({ token }) => accounts.call('GET', '/users/me', { token })))
    expect(answers.map(({ body }) => body.id)).toEqual(asked.map(({ id }) => id))
  })
})
