import { randomUUID } from 'node:crypto'
import { ExportedLine } from '@trestle/contracts/accounts/data-export'
import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'
import { factorsClient } from './factors.js'

describe('the export of the data of a user', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  const request = (token: string) => accounts.call('POST', '/users/me/data-export', { token })
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => ExportedLine.parse(JSON.parse(line)))
  async function exported({ token }: Pick<TestUser, 'token'>) {
    const { status, text } = await request(token)
    expect(status).toBe(200)
    return linesOf(text)
  }
  const addEvents = (userId: string, count: number) =>
    accounts.sql.query(
      `INSERT INTO event (id, user_id, service, input, output, service_data, created_at)
       SELECT gen_random_uuid(), $1, 'nodes', jsonb_build_object('number', n),
              '{"startTime": "2026-01-01T00:00:00.000Z", "endTime": "2026-01-01T00:00:00.000Z", "httpStatusCode": 200, "bytesOut": 1}',
              '{}', date_trunc('milliseconds', now()) FROM generate_series(1, $2::int) AS n`,
      [userId, count],
    )

  it('has everything that is stored, in the form of the other endpoints, and says where it ends', async () => {
    const user = await accounts.createUser()
    const key = { name: 'indexer', perSecond: 5, perDay: 100, allowedIps: ['192.0.2.0/24'] }
    await accounts.call('POST', '/organizations', { token: user.token, body: { name: 'Ltd' } })
    await accounts.call('POST', '/users/me/client-keys', { token: user.token, body: key })
    const listed = await eventually(
      async () => {
        const { body } = await accounts.call('GET', '/users/me/events', { token: user.token })
        return body.length >= 2 ? body : undefined
      },
      'the activity is stored',
      SOON_MS,
    )
    const lines = await exported(user)
    const kinds = new Set(lines.map(({ kind }) => kind))
    expect([...kinds]).toEqual(expect.arrayContaining(['profile', 'membership', 'session', 'client-key', 'mail', 'activity']))
    const { body: profile } = await accounts.call('GET', '/users/me', { token: user.token })
    expect(lines[0]).toEqual({ kind: 'profile', data: profile })
    expect(lines.find(({ kind }) => kind === 'client-key')?.data).toMatchObject(key)
    const activity = lines.flatMap(({ kind, data }) => (kind === 'activity' ? [data] : []))
    expect(activity).toEqual(expect.arrayContaining(listed))
    expect(lines.at(-1)).toEqual({ kind: 'end', data: { lines: lines.length - 1 } })
  })

  it('has the second factors, without their secrets', async () => {
    const { token } = await factorsClient(accounts).createAppUser()
    const text = (await request(token)).text
    expect(linesOf(text).find(({ kind }) => kind === 'second-factor')?.data).toMatchObject({ kind: 'totp', usedAt: expect.any(String) })
    expect(text).not.toMatch(/sealed|secret/i)
  })

  it('has nothing of another user, not even one whose address is part of it', async () => {
    const user = await accounts.createUser({ email: `x${randomUUID()}@example.org` })
    const other = await accounts.createUser({ email: user.email.slice(1) })
    const text = (await request(other.token)).text
    expect(text).not.toContain(user.id)
    expect(text).not.toContain(user.email)
  })

  it('has no secret: neither hashes nor tokens nor texts of mails', async () => {
    const user = await accounts.createUser()
    const { body: key } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
    const { text } = await request(user.token)
    expect(text).not.toMatch(/hash|sealed|argon2|secret/i)
    expect(text).not.toContain(key.clientSecret)
    expect(text).not.toContain(user.token)
  })

  it('has every row once, however many share a time', async () => {
    const user = await accounts.createUser()
    await addEvents(user.id, 2345)
    const numbers = (await exported(user)).flatMap(({ kind, data }) =>
      kind === 'activity' && typeof data.input['number'] === 'number' ? [data.input['number']] : [],
    )
    expect(numbers).toHaveLength(2345)
    expect(new Set(numbers).size).toBe(2345)
  })

  it('ends when the session does, and without its last line', async () => {
    const user = await accounts.createUser()
    await addEvents(user.id, 60_000)
    const response = await fetch(`${accounts.url}/users/me/data-export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}` },
    })
    const reader = response.body!.getReader()
    await reader.read()
    await accounts.call('DELETE', '/users/me/sessions', { token: user.token })
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    await expect(
      (async () => {
        for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read());
      })(),
    ).rejects.toThrow()
  })

  it('is limited to five a day, and is in the security log', async () => {
    const user = await accounts.createUser()
    accounts.stopClock()
    const answers = []
    for (let time = 0; time <= 5 * 7; time++) answers.push((await request(user.token)).status)
    accounts.setClockAhead(0)
    expect(answers.filter((status) => status === 200)).toHaveLength(35)
    expect(answers.at(-1)).toBe(429)
    const { rows } = await accounts.sql.query(
      `SELECT count(*)::int AS count FROM outbox, jsonb_array_elements(payload->'events') AS event
        WHERE subject = 'accounts.security-event.recorded' AND event->>'kind' = 'data-exported' AND event->>'user' = $1`,
      [user.id],
    )
    expect(rows[0]?.count).toBeGreaterThanOrEqual(35)
  })

  it('is refused without a token of an account', async () => {
    expect((await accounts.call('POST', '/users/me/data-export')).status).toBe(401)
  })
})
