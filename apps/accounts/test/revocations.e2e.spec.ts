import { listRevocations, type Revocation, revocationRecorded } from '@trestle/contracts/accounts/messages'
import { EventSubscriptions } from '@trestle/messaging/event-subscriptions'
import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, accountsClient, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'

let accounts: AccountsUnderTest
let user: TestUser
beforeAll(async () => {
  accounts = await startTestAccounts()
  user = await accounts.createUser()
})
afterAll(() => accounts.stop())

describe('deleting a client key', () => {
  it('invalidates its refresh tokens at once and publishes a revocation of its access tokens', async () => {
    const heard: Revocation[] = []
    accounts.service.app
      .get(EventSubscriptions, { strict: false })
      .subscribe(revocationRecorded, (revocation) => void heard.push(revocation))
    const { id, refreshToken } = await deletedKey()
    const { status } = await accounts.call('POST', '/auth/token', { body: { grantType: 'refreshToken', refreshToken } })
    expect(status).toBe(401)
    await eventually(async () => heard.find((revocation) => revocation.id === id), 'the fact is told', SOON_MS)
    expect(heard.filter((revocation) => revocation.id === id)).toEqual([{ kind: 'client', id, epoch: 1 }])
  })

  it('is served over NATS and over HTTP', async () => {
    const { id } = await deletedKey()
    const asked = await accounts.ask(listRevocations, {})
    const fetched = listRevocations.reply.parse(await (await fetch(`${accounts.service.internalUrl}/revocations`)).json())
    for (const { revocations } of [asked, fetched]) expect(revocations).toContainEqual({ kind: 'client', id, epoch: 1 })

    // What is known is not told for ever, but what was recorded just before is told again.
    const later = new Date(Date.parse(fetched.asOf) + 120_000).toISOString()
    expect((await accounts.ask(listRevocations, { since: later })).revocations).toEqual([])
    const again = listRevocations.reply.parse(
      await (await fetch(`${accounts.service.internalUrl}/revocations?since=${fetched.asOf}`)).json(),
    )
    expect(again.revocations).toContainEqual({ kind: 'client', id, epoch: 1 })
  })
})

describe('the list of revocations', () => {
  it('is served page by page, each revocation once', async () => {
    await accounts.sql.query(
      "INSERT INTO revocation (kind, id, epoch) SELECT 'client', 'client-' || gen_random_uuid(), 1 FROM generate_series(1, 11000)",
    )
    const ids: string[] = []
    let page = await accounts.ask(listRevocations, {})
    ids.push(...page.revocations.map(({ id }) => id))
    while (page.next) {
      page = await accounts.ask(listRevocations, { after: page.next })
      ids.push(...page.revocations.map(({ id }) => id))
    }
    expect(new Set(ids).size).toBe(ids.length)
    const { rows } = await accounts.sql.query('SELECT count(*)::int AS count FROM revocation')
    expect(ids.length).toBe(rows[0].count)
  })

  it('never lowers an epoch', async () => {
    await accounts.call('DELETE', '/users/me/sessions', { token: user.token })
    user.token = await accounts.signIn(user.email)
    await accounts.call('DELETE', '/users/me/sessions', { token: user.token })
    const { rows } = await accounts.sql.query("SELECT epoch FROM revocation WHERE kind = 'user' AND id = $1", [user.id])
    expect(rows).toEqual([{ epoch: 2 }])
    user.token = await accounts.signIn(user.email)
  })
})

describe('an account token that was ended', () => {
  it('is refused by every replica of this service, also while NATS is away', async () => {
    const replica = await accounts.replica()
    const elsewhere = accountsClient(replica)
    const alive = async (token: string) => (await elsewhere.call('GET', '/users/me', { token })).status
    await eventually(async () => (await alive(user.token)) === 200 || undefined, 'the replica knows the token', SOON_MS)
    await accounts.nats.kill()

    await accounts.call('DELETE', '/users/me/sessions', { token: user.token })
    await eventually(async () => (await alive(user.token)) === 401 || undefined, 'the token is refused', SOON_MS)
    const next = await accounts.signIn(user.email)
    expect(await alive(next)).toBe(200)
    await accounts.nats.start()
    await replica.stop()
  })
})

async function deletedKey(): Promise<{ id: string; refreshToken: string }> {
  const { body: pair } = await accounts.call('POST', '/users/me/client-keys', { token: user.token })
  const { body } = await accounts.call('POST', '/auth/token', { body: { grantType: 'clientCredentials', ...pair } })
  const { status } = await accounts.call('DELETE', `/users/me/client-keys/${pair.clientId}`, { token: user.token })
  expect(status).toBe(204)
  return { id: pair.clientId, refreshToken: body.refreshToken }
}
