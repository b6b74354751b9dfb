import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, PASSWORD, SOON_MS, startTestAccounts } from './accounts.js'

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
      body: { displayName: 'Lovelace AG', entityType: 'company', billingAddress, email: 'eve@example.org', id: 'user-1', verifiedAt: null },
    })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, displayName: 'Lovelace AG', entityType: 'company', billingAddress, updatedAt: body.updatedAt })
    expect(body.updatedAt > before.updatedAt).toBe(true)
    const after = await accounts.call('PATCH', '/users/me', { token, body: { displayName: 'Ada' } })
    expect(after.body).toEqual({ ...body, displayName: 'Ada', updatedAt: after.body.updatedAt })
  })

  it.each<[string, unknown]>([
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
