import { randomUUID } from 'node:crypto'
import { type AccountsUnderTest, PASSWORD, startTestAccounts, type TestUser } from './accounts.js'

const CONNECTIONS = 200
const NETWORKS = 8
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
    const from = `198.51.100.${at % NETWORKS}`
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

  async function countRows(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const table of ['user', 'email_token', 'invitation', 'session', 'attempt'])
      counts[table] = Number((await accounts.sql.query(`SELECT count(*) FROM "${table}"`)).rows[0].count)
    return counts
  }

  it('refuses nobody who signs in rightly, sends no more mails than the budgets, and stores no more rows', async () => {
    const [ada, bob, attacker] = [await accounts.createUser(), await accounts.createUser(), await accounts.createUser()]
    const { body: organization } = await accounts.call('POST', '/organizations', {
      token: attacker.token,
      body: { name: 'Free $$$ at evil.example' },
    })
    const before = await countRows()
    const until = Date.now() + FLOOD_MS
    const attack = Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => flood(at, attacker, organization.id, until)))
    const right: number[] = []
    while (Date.now() < until) {
      right.push((await signIn(ada)).status)
      // Somebody whom nobody knows there.
      right.push(
        (await accounts.call('POST', '/auth', { from: `203.0.113.${right.length % 250}`, basic: `${bob.email}:${PASSWORD}` })).status,
      )
    }
    const statuses = (await attack).flat()

    expect(right.length).toBeGreaterThan(0)
    expect(new Set(right)).toEqual(new Set([200]))
    // Whoever goes on is refused late: each connection at most about once a second.
    const refused = statuses.filter((status) => status === 429 || status === 503).length
    expect(refused).toBeGreaterThan(NETWORKS)
    expect(refused).toBeLessThan(CONNECTIONS * 2 * (2 + FLOOD_MS / 1000))
    const mailsTo = async (pattern: string) => (await accounts.sql.query('SELECT FROM mail WHERE recipient LIKE $1', [pattern])).rowCount
    expect(await mailsTo(VICTIM)).toBe(5)
    // Twenty sign-ups from each of eight networks, and what drains while it lasts.
    expect(await mailsTo('%@flood.example')).toBeLessThanOrEqual(NETWORKS * 21)
    const after = await countRows()
    const grown = Object.fromEntries(Object.entries(after).map(([table, count]) => [table, count - (before[table] ?? 0)]))
    expect(grown.user).toBeLessThanOrEqual(NETWORKS * 21)
    expect(grown.email_token).toBeLessThanOrEqual(NETWORKS * 21)
    expect(grown.invitation).toBeLessThanOrEqual(5)
    expect(grown.session).toBe(right.length)
    // A row for each account that was guessed for, thirty and what drains of each network, and for what else each network and the attacker spent.
    expect(grown.attempt).toBeLessThanOrEqual(NETWORKS * (30 + FLOOD_MS / 2000 + 6) + 10)
  })
})
