import { randomUUID } from 'node:crypto'
import { type AccountsUnderTest, PASSWORD, startTestAccounts, type TestUser } from './accounts.js'

const CONNECTIONS = 200
const FLOOD_MS = 4000
const VICTIM = 'victim@example.org'

describe('a flood of sign-ups, invitations and guesses', () => {
  let accounts: AccountsUnderTest
  beforeAll(async () => {
    accounts = await startTestAccounts({ BUDGET_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' })
  })
  afterAll(() => accounts.stop())

  const signIn = ({ email }: TestUser) => accounts.call('POST', '/auth', { basic: `${email}:${PASSWORD}` })

  /** One connection after the other: from a few networks, as a small botnet has. */
  async function flood(at: number, attacker: TestUser, organization: string, until: number): Promise<number[]> {
    const statuses: number[] = []
    const from = `198.51.100.${at % 8}`
    const attacks = [
      () => accounts.call('POST', '/auth', { from, basic: `${randomUUID()}@example.org:${PASSWORD}` }),
      () =>
        accounts.call('POST', '/users', {
          from,
          body: {
            email: `${randomUUID()}@flood.example`,
            displayName: 'x',
            password: PASSWORD,
            billingAddress: { country: 'CH', zipCode: '1', address: 'x', state: 'x' },
          },
        }),
      () =>
        accounts.call('POST', `/organizations/${organization}/invitations`, {
          token: attacker.token,
          body: { email: VICTIM, roles: ['member'] },
        }),
      () => accounts.call('POST', '/users/password-resets', { from, body: { email: VICTIM } }),
    ]
    for (let turn = at; Date.now() < until; turn++) {
      const { status } = (await attacks[turn % attacks.length]?.()) ?? { status: 0 }
      statuses.push(status)
    }
    return statuses
  }

  it('refuses nobody who signs in rightly, and sends no more mails than the budgets', async () => {
    const [ada, attacker] = [await accounts.createUser(), await accounts.createUser()]
    const { body: organization } = await accounts.call('POST', '/organizations', {
      token: attacker.token,
      body: { name: 'Free $$$ at evil.example' },
    })
    const until = Date.now() + FLOOD_MS
    const attack = Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => flood(at, attacker, organization.id, until)))
    const right: number[] = []
    while (Date.now() < until) right.push((await signIn(ada)).status)
    const statuses = (await attack).flat()

    expect(right.length).toBeGreaterThan(0)
    expect(new Set(right)).toEqual(new Set([200]))
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(CONNECTIONS)
    const mailsTo = async (pattern: string) => (await accounts.sql.query('SELECT FROM mail WHERE recipient LIKE $1', [pattern])).rowCount
    expect(await mailsTo(VICTIM)).toBe(5)
    // Twenty sign-ups from each of eight networks, and what drains while it lasts.
    expect(await mailsTo('%@flood.example')).toBeLessThanOrEqual(8 * 21)
  })
})
