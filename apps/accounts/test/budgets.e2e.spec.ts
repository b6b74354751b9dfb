import { randomUUID } from 'node:crypto'
import { retryWhileBusy } from '@trestle/testing/retry-while-busy'
import { type AccountsUnderTest, accountsClient, PASSWORD, startTestAccounts, type TestUser } from './accounts.js'

const HOUR_MS = 3600_000

describe('budgets', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts({ BUDGET_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' })
  })
  afterEach(() => accounts.setClockAhead(0))
  afterAll(() => accounts.stop())

  const address = () => `${randomUUID()}@example.org`
  const signUp = (from: string, url = accounts) =>
    retryWhileBusy(() =>
      url.call('POST', '/users', {
        from,
        body: {
          email: address(),
          displayName: 'Ada',
          password: PASSWORD,
          billingAddress: { country: 'CH', zipCode: '8001', address: 'Bahnhofstrasse 1', state: 'ZH' },
        },
      }),
    )
  const countMails = async (to: string) => (await accounts.sql.query('SELECT FROM mail WHERE recipient = $1', [to])).rowCount
  const create = (owner: TestUser) => accounts.call('POST', '/organizations', { token: owner.token, body: { name: 'Acme' } })
  const invite = (by: TestUser, organization: string, email: string) =>
    accounts.call('POST', `/organizations/${organization}/invitations`, { token: by.token, body: { email, roles: ['member'] } })

  it('let a network sign up twenty users at once, at all replicas together, and then one every three minutes', async () => {
    const second = await accounts.replica()
    accounts.stopClock()
    const answers = await Promise.all(
      Array.from({ length: 160 }, (_, at) => signUp('198.51.100.1', at % 2 === 0 ? accounts : { ...accounts, ...accountsClient(second) })),
    )
    await second.stop()
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(140)
    expect(refused[0]?.body.code).toBe('TooManyRequests')
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(100)
    expect((await signUp('198.51.100.2')).status).toBe(201)
    accounts.setClockAhead(HOUR_MS / 20 + 5000)
    expect((await signUp('198.51.100.1')).status).toBe(201)
  })

  it('count no sign-up that is refused for its password', async () => {
    for (let time = 0; time < 25; time++) {
      const body = {
        email: address(),
        displayName: 'Ada',
        password: 'short',
        billingAddress: { country: 'CH', zipCode: '1', address: 'x', state: 'y' },
      }
      expect((await accounts.call('POST', '/users', { from: '198.51.100.3', body })).status).toBe(400)
    }
    expect((await signUp('198.51.100.3')).status).toBe(201)
  })

  it('send five invitations a day to an address, whoever invites, withdraws and dissolves', async () => {
    const [ann, bob] = [await accounts.createUser(), await accounts.createUser()]
    const victim = address()
    const statuses: number[] = []
    for (let round = 0; round < 4; round++) {
      for (const inviter of [ann, bob]) {
        const { body } = await create(inviter)
        statuses.push((await invite(inviter, body.id, victim)).status)
        await accounts.call('DELETE', `/organizations/${body.id}`, { token: inviter.token })
      }
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429, 429])
    expect(await countMails(victim)).toBe(5)
  })

  it('let a user invite thirty a day, also from one organization after the other', async () => {
    const inviter = await accounts.createUser()
    const statuses: number[] = []
    for (let round = 0; round < 4; round++) {
      const { body } = await create(inviter)
      for (let time = 0; time < 10; time++) statuses.push((await invite(inviter, body.id, address())).status)
      await accounts.call('DELETE', `/organizations/${body.id}`, { token: inviter.token })
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(30)
    expect(statuses.slice(30)).toEqual(Array(10).fill(429))
  })

  it('are not spent for an organization by somebody who may not invite for it', async () => {
    const [owner, stranger] = [await accounts.createUser(), await accounts.createUser()]
    const { body } = await create(owner)
    const victim = address()
    for (let time = 0; time < 6; time++) expect((await invite(stranger, body.id, victim)).status).toBe(404)
    expect((await invite(owner, body.id, victim)).status).toBe(201)
  })

  it('let a user found ten organizations a day', async () => {
    const founder = await accounts.createUser()
    for (let time = 0; time < 10; time++) {
      const { status, body } = await create(founder)
      expect(status).toBe(201)
      await accounts.call('DELETE', `/organizations/${body.id}`, { token: founder.token })
    }
    expect((await create(founder)).status).toBe(429)
  })

  it('let a user create fifty client keys a day, deleted ones among them', async () => {
    const user = await accounts.createUser()
    const statuses: number[] = []
    for (let time = 0; time < 52; time++) {
      const { status, body } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
      statuses.push(status)
      if (status === 200) await accounts.call('DELETE', `/users/me/client-keys/${body.clientId}`, { token: user.token })
    }
    expect(statuses).toEqual([...Array(50).fill(200), 429, 429])
  })

  it('send twenty mails a day to an address that did not ask for them', async () => {
    const email = address()
    await accounts.register(email)
    for (let hour = 0; hour < 6; hour++) {
      accounts.setClockAhead(hour * HOUR_MS)
      for (let time = 0; time < 6; time++) await retryWhileBusy(() => accounts.register(email))
    }
    // Twenty at once, five more in the five hours since, and the first of all.
    expect(await countMails(email)).toBeLessThanOrEqual(1 + 20 + 5)
  })

  it('let a network ask for twenty password resets an hour', async () => {
    const ask = () => accounts.call('POST', '/users/password-resets', { from: '198.51.100.9', body: { email: address() } })
    const statuses: number[] = []
    for (let time = 0; time < 22; time++) statuses.push((await ask()).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })
})
