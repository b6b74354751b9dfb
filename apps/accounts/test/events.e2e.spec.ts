import { randomUUID } from 'node:crypto'
import type { Activity } from '@trestle/contracts/activity'
import { eventually } from '@trestle/testing/eventually'
import { EventsService } from '../src/events/events.service.js'
import { type AccountsUnderTest, PASSWORD, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'
import { connectOtherService } from './other-service.js'

let accounts: AccountsUnderTest
beforeAll(async () => {
  accounts = await startTestAccounts({ BASE_PATH: '/accounts' })
})
afterAll(() => accounts.stop())

describe('GET /users/me/events', () => {
  it('lists every authenticated request to this area, newest first', async () => {
    const user = await accounts.createUser()
    await accounts.call('GET', '/users/me', { token: user.token })
    const { body: pair } = await accounts.call('POST', '/users/me/client-keys', { token: user.token, body: { name: 'secret plan' } })
    await accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...pair } })
    await accounts.call('DELETE', '/users/me/client-keys/nothing', { token: user.token })
    const events = await eventsOf(user, 5)
    const told = events.map(({ input, output }) => [input['method'], input['route'], output.httpStatusCode])
    expect(told).toEqual(
      expect.arrayContaining([
        ['POST', '/auth', 200],
        ['GET', '/users/me', 200],
        ['POST', '/users/me/client-keys', 200],
        ['POST', '/auth/token', 200],
        ['DELETE', '/users/me/client-keys/{id}', 404],
      ]),
    )
    expect(events.map(({ createdAt }) => createdAt)).toEqual(
      events
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    )
    expect(events.find(({ input }) => input['route'] === '/users/me')).toEqual({
      id: expect.stringMatching(/^event-/),
      user: user.id,
      service: 'accounts',
      input: { method: 'GET', route: '/users/me', params: {}, query: {} },
      output: { startTime: expect.any(String), endTime: expect.any(String), httpStatusCode: 200, bytesOut: expect.any(Number) },
      serviceData: { requestId: expect.any(String), actor: { session: expect.stringMatching(/^session-/), address: '127.0.0.1' } },
      createdAt: expect.any(String),
    })
    const refused = events.find(({ output }) => output.httpStatusCode === 404)
    expect(refused?.serviceData).toMatchObject({ code: 'UnknownClientKey' })
    const issued = events.find(({ input }) => input['route'] === '/auth/token')
    expect(issued?.serviceData).toMatchObject({ actor: { clientKey: pair.clientId, address: '127.0.0.1' } })
  })

  it('lists requests to other areas, each once, and nobody else’s', async () => {
    const [user, other] = [await accounts.createUser(), await accounts.createUser()]
    const [own, foreign] = [activity(user), activity(other)]
    const nodes = connectOtherService(accounts.nats, 'nodes')
    const told = {
      stream: 'ACTIVITY',
      subject: 'nodes.activity.recorded',
      // In whose name it is published counts, not what it says.
      body: JSON.stringify({ activities: [{ ...own, service: 'staking' }, foreign] }),
      headers: {},
    }
    await eventually(() => nodes.connection.client, 'nodes is connected', SOON_MS)
    for (const id of ['a', 'b', 'c']) await nodes.streams.publish({ ...told, id })
    await nodes.close()
    const events = await eventually(
      async () => {
        const found = await list(user)
        return found.some(({ service }) => service === 'nodes') ? found : undefined
      },
      'the event is there',
      SOON_MS,
    )
    expect(events.filter(({ service }) => service === 'nodes')).toEqual([own])
    expect(JSON.stringify(events)).not.toContain(foreign.id)
  })

  it('links the pages under the base path', async () => {
    const user = await accounts.createUser()
    const activities = Array.from({ length: 25 }, () => activity(user))
    await accounts.service.app.get(EventsService, { strict: false }).record(activities)
    const seen: Activity[] = []
    let path: string | undefined = '/accounts/users/me/events?limit=10'
    while (path) {
      const { body, headers } = await accounts.call('GET', path, { token: user.token })
      expect(body.length).toBeLessThanOrEqual(10)
      seen.push(...body)
      path = /^<(\/accounts\/users\/me\/events\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    const ids = seen.filter(({ service }) => service === 'nodes').map(({ id }) => id)
    expect(ids.sort()).toEqual(activities.map(({ id }) => id).sort())
  })

  it('returns the last 24 hours by default', async () => {
    const user = await accounts.createUser()
    const old = activity(user, { createdAt: new Date(Date.now() - 25 * 3600_000).toISOString() })
    await accounts.service.app.get(EventsService, { strict: false }).record([old])
    expect((await list(user)).map(({ id }) => id)).not.toContain(old.id)
    const from = old.createdAt.slice(0, 10)
    expect((await list(user, `?from=${from}&to=${encodeURIComponent(old.createdAt)}`)).map(({ id }) => id)).toEqual([old.id])
  })

  it.each([
    ['?cursor=abc', 'InvalidCursor'],
    [`?cursor=${Buffer.from('1.event-x').toString('base64url')}`, 'InvalidCursor'],
    [`?cursor=${Buffer.from(`1.user-${randomUUID()}`).toString('base64url')}`, 'InvalidCursor'],
    [`?cursor=${Buffer.from(`99999999999999.event-${randomUUID()}`).toString('base64url')}`, 'InvalidCursor'],
    ['?cursor=%27%20or%201=1', 'InvalidInput'],
    ['?from=2026-11-22&to=2026-11-21', 'InvalidRange'],
    ['?from=2026-02-30', 'InvalidInput'],
    ['?from=yesterday', 'InvalidInput'],
    ['?limit=0', 'InvalidInput'],
    ['?limit=1001', 'InvalidInput'],
    ['?limit=1e2', 'InvalidInput'],
    ['?limit=1&limit=2', 'InvalidInput'],
  ])('refuses %s', async (query, code) => {
    const user = await known()
    const { status, body } = await accounts.call('GET', `/users/me/events${query}`, { token: user.token })
    expect([status, body.code]).toEqual([400, code])
  })

  it.each([
    '?from=0000-01-01',
    '?from=9999-12-31T23:59:59Z&to=9999-12-31T23:59:59.999999Z',
    '?from=2026-11-21T00:00:00%2B14:00&limit=1000',
  ])('takes %s', async (query) => {
    const user = await known()
    const { status } = await accounts.call('GET', `/users/me/events${query}`, { token: user.token })
    expect(status).toBe(200)
  })
})

describe('secrets', () => {
  it('are in no event and in no table', async () => {
    const user = await accounts.createUser()
    const { body: pair } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    const { body: issued } = await accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...pair } })
    await accounts.call('POST', '/auth/token', { body: { grantType: 'refreshToken', refreshToken: issued.refreshToken } })
    await accounts.call('GET', `/users/me?token=${issued.accessToken}&clientSecret=${pair.clientSecret}`, { token: user.token })
    await accounts.call('PUT', `/invitations/${'i'.repeat(43)}`, { token: user.token })
    await eventsOf(user, 4)
    const { rows: tables } = await accounts.sql.query("SELECT tablename FROM pg_tables WHERE schemaname = 'accounts'")
    const dump: string[] = []
    for (const { tablename } of tables) {
      const { rows } = await accounts.sql.query(`SELECT to_jsonb(t)::text AS row FROM "${tablename}" t`)
      dump.push(...rows.map(({ row }) => row))
    }
    expect(dump.length).toBeGreaterThan(20)
    const jti = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti
    const secrets = [
      PASSWORD,
      pair.clientSecret,
      user.token,
      issued.accessToken,
      issued.refreshToken,
      jti(issued.refreshToken),
      'i'.repeat(43),
      'PRIVATE KEY',
    ]
    for (const secret of secrets) expect(dump.filter((row) => row.includes(secret))).toEqual([])
  })
})

let somebody: Promise<TestUser> | undefined

function known(): Promise<TestUser> {
  somebody ??= accounts.createUser()
  return somebody
}

async function list(user: TestUser, query = ''): Promise<Activity[]> {
  return (await accounts.call('GET', `/users/me/events${query}`, { token: user.token })).body
}

/** The events of a user once there are so many, apart from those of asking. */
function eventsOf(user: TestUser, count: number): Promise<Activity[]> {
  return eventually(
    async () => {
      const events = (await list(user)).filter(({ input }) => input['route'] !== '/users/me/events')
      return events.length >= count ? events : undefined
    },
    `${count} events`,
    SOON_MS,
  )
}

function activity(user: TestUser, overrides: Partial<Activity> = {}): Activity {
  const time = new Date().toISOString()
  const output = { startTime: time, endTime: time, httpStatusCode: 200, bytesOut: 2 }
  return {
    id: `event-${randomUUID()}`,
    user: user.id,
    service: 'nodes',
    input: { route: '/x' },
    output,
    serviceData: {},
    createdAt: time,
    ...overrides,
  }
}
