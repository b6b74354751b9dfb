import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { passwordRangeOf } from '../src/passwords/password-range.js'
import { type AccountsUnderTest, PASSWORD, startTestAccounts } from './accounts.js'

const STOLEN = 'seven stolen violins'
const FINE = 'seven borrowed violins'

describe('a stolen password', () => {
  let accounts: AccountsUnderTest
  const requests: { url: string; padding: unknown; body: string }[] = []
  /** What the server does with the next requests. */
  let answer: 'list' | 'fail' | 'hang' | 'flood' | 'redirect' = 'list'
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      requests.push({ url: request.url ?? '', padding: request.headers['add-padding'], body })
      if (answer === 'fail') response.writeHead(500).end()
      if (answer === 'redirect') response.writeHead(302, { location: '/range/elsewhere' }).end()
      if (answer === 'flood') response.end(`${passwordRangeOf(STOLEN).suffix}:1\n${'0'.repeat(300_000)}`)
      if (answer === 'list') response.end(`${'0'.repeat(35)}:0\r\n${passwordRangeOf(STOLEN).suffix}:12\r\n`)
    })
  })
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    accounts = await startTestAccounts({ PASSWORD_RANGE_URL: `http://127.0.0.1:${port}/range/` })
  })
  afterAll(async () => {
    await accounts.stop()
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    answer = 'list'
    requests.length = 0
  })

  const register = (password: string) => accounts.register(`${randomUUID()}@example.org`, { password })
  const failures = async () => {
    const text = await (await fetch(`${accounts.service.internalUrl}/metrics`)).text()
    return Number(/^password_range_failures_total (\d+)$/m.exec(text)?.[1])
  }

  it('is refused at a sign-up, in plain words', async () => {
    const { status, body } = await register(STOLEN)
    expect([status, body.code]).toEqual([400, 'WeakPassword'])
    expect(body.detail).toContain('list of stolen passwords')
    expect((await register(FINE)).status).toBe(201)
  })

  it('is refused at a change and at a reset, which keep the old one', async () => {
    const { email, token, id } = await accounts.createUser()
    const change = { oldPassword: PASSWORD, newPassword: STOLEN }
    expect((await accounts.call('PUT', '/users/me/password', { token, body: change })).body.code).toBe('WeakPassword')
    await accounts.call('POST', '/users/password-resets', { body: { email } })
    const mailed = await accounts.mailedToken(email, 2)
    const reset = (newPassword: string) => accounts.call('PUT', `/users/${id}/password-resets/${mailed}`, { body: { newPassword } })
    expect((await reset(STOLEN)).body.code).toBe('WeakPassword')
    expect((await reset(FINE)).status).toBe(200)
  })

  it('is asked about by five digits of its hash, and by nothing else', async () => {
    await register(STOLEN)
    const { prefix } = passwordRangeOf(STOLEN)
    expect(requests).toEqual([{ url: `/range/${prefix}`, padding: 'true', body: '' }])
  })

  it('is not asked about at a sign-in: passwords that are in use stay valid', async () => {
    const { email } = await accounts.createUser()
    requests.length = 0
    await accounts.signIn(email)
    expect(requests).toEqual([])
  })

  it('is not asked about where the password is refused anyway', async () => {
    await register('password1234567890')
    expect(requests).toEqual([])
  })

  it.each(['fail', 'hang', 'flood', 'redirect'] as const)(
    'is accepted, and counted, where the server is there to %s',
    async (behaviour) => {
      answer = behaviour
      const before = await failures()
      const startedAt = performance.now()
      expect((await register(STOLEN)).status).toBe(201)
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      expect(await failures()).toBe(before + 1)
      expect(requests).toHaveLength(1)
    },
  )
})

describe('the demo password', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts()
  })
  afterAll(() => accounts.stop())

  const DEMO = 'correct horse battery staple'

  it('is accepted for the demo user alone', async () => {
    expect((await accounts.register('demo@trestle.local', { password: DEMO })).status).toBe(201)
    const { status, body } = await accounts.register('ada@example.org', { password: DEMO })
    expect([status, body.code]).toEqual([400, 'WeakPassword'])
  })

  it('is refused at a change', async () => {
    const { token } = await accounts.createUser()
    const { body } = await accounts.call('PUT', '/users/me/password', { token, body: { oldPassword: PASSWORD, newPassword: DEMO } })
    expect(body.code).toBe('WeakPassword')
  })
})
