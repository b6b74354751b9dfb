import { describeOrganizations, describeUsers, getMembership, listMemberships, type Membership } from '@trestle/contracts/accounts/messages'
import { personalOrganizationOf, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'

let accounts: AccountsUnderTest
let owner: TestUser
let guest: TestUser
let organizationId: string
beforeAll(async () => {
  accounts = await startTestAccounts()
  ;[owner, guest] = [await accounts.createUser(), await accounts.createUser()]
  organizationId = (await call(owner, 'POST', '/organizations', { name: 'Acme' })).body.id
})
afterAll(() => accounts.stop())

describe('a membership', () => {
  it('is known to other services with what its roles permit, which rises, ends and begins again', async () => {
    const [created] = await known(owner)
    expect(created).toEqual({
      userId: owner.id,
      organizationId,
      permissions: ROLE_PERMISSIONS.owner,
      version: expect.any(Number),
      changedAt: expect.any(String),
      policy: { requireSecondFactor: false, approvals: [] },
    })
    // A time: what is changed after a backup was restored is newer than anything from before.
    expect(Math.abs((created?.version ?? 0) - Date.now())).toBeLessThan(60_000)

    await join(['viewer'])
    const versions = [await permitted(ROLE_PERMISSIONS.viewer)]
    await call(owner, 'PUT', `/organizations/${organizationId}/members/${guest.id}`, { roles: ['operator'] })
    versions.push(await permitted(ROLE_PERMISSIONS.operator))
    await call(guest, 'DELETE', `/organizations/${organizationId}/members/${guest.id}`)
    versions.push(await permitted([]))
    await join(['developer'])
    versions.push(await permitted(ROLE_PERMISSIONS.developer))
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
  })

  it('is published in the transaction of every change', async () => {
    const published = async () => {
      const { rows } = await accounts.sql.query(
        "SELECT payload, key FROM outbox WHERE subject = 'accounts.membership.changed' AND payload->>'userId' = $1 ORDER BY seq",
        [guest.id],
      )
      return rows
    }
    const before = (await published()).length
    await call(owner, 'PUT', `/organizations/${organizationId}/members/${guest.id}`, { roles: ['member'] })
    const events = await published()
    expect(events).toHaveLength(before + 1)
    expect(events.at(-1)).toEqual({ payload: (await known(guest))[0], key: guest.id })
  })

  it('is listed in pages, and from a time on', async () => {
    const users = 1200
    await accounts.sql.query(
      `INSERT INTO "user" (id, email, email_canonical, display_name, entity_type, billing_address, password_hash, created_at, updated_at)
       SELECT 'user-' || gen_random_uuid(), n || '@x.test', n || '@x.test', 'X', 'individual', '{}', 'x', now(), now() FROM generate_series(1, $1::int) n`,
      [users],
    )
    await accounts.sql.query(
      `INSERT INTO member (user_id, organization_id, roles, joined_at, changed_at)
       SELECT id, $1, '{viewer}', now(), now() - interval '1 hour' FROM "user" WHERE display_name = 'X'`,
      [organizationId],
    )
    const all = await list()
    expect(all).toHaveLength(users + 2)
    expect(new Set(all.map(({ userId }) => userId)).size).toBe(users + 2)
    expect(await list(new Date())).toHaveLength(2)
    await accounts.sql.query(`DELETE FROM "user" WHERE display_name = 'X'`)
  })

  it('is what accounts admits callers by, with NATS away too', async () => {
    const chosen = { 'trestle-organization': organizationId }
    const status = async () => (await accounts.call('GET', '/users/me', { token: guest.token, headers: chosen })).status
    await eventually(async () => (await status()) === 200 || undefined, 'the member is admitted', SOON_MS)
    await accounts.nats.kill()
    try {
      await call(guest, 'DELETE', `/organizations/${organizationId}/members/${guest.id}`)
      await eventually(async () => (await status()) === 404 || undefined, 'the former member is refused', SOON_MS)
    } finally {
      await accounts.nats.start()
    }
  })
})

describe('an organization that is dissolved', () => {
  it('leaves what it owned to the personal organization of its last member', async () => {
    const { body } = await call(owner, 'POST', '/organizations', { name: 'Short' })
    await call(owner, 'DELETE', `/organizations/${body.id}`)
    const { rows } = await accounts.sql.query("SELECT payload FROM outbox WHERE subject = 'accounts.organization.dissolved'")
    expect(rows).toEqual([
      { payload: { organizationId: body.id, heirId: personalOrganizationOf(owner.id), dissolvedAt: expect.any(String) } },
    ])
    expect((await known(owner)).find((each) => each.organizationId === body.id)?.permissions).toEqual([])
  })
})

describe('other services', () => {
  it('learn names and addresses of users, of unknown ones nothing', async () => {
    const unknown = 'user-00000000-0000-4000-8000-000000000000'
    expect(await accounts.ask(describeUsers, { userIds: [guest.id, unknown] })).toEqual({
      users: [{ userId: guest.id, email: guest.email, displayName: 'Ada' }],
    })
    expect(await accounts.ask(describeUsers, { userIds: [] })).toEqual({ users: [] })
  })

  it('learn names of organizations, of unknown ones nothing', async () => {
    const { body } = await call(await accounts.createUser(), 'POST', '/organizations', { name: 'Named' })
    const organizationIds = [body.id, 'org-00000000-0000-4000-8000-000000000000']
    expect(await accounts.ask(describeOrganizations, { organizationIds })).toEqual({
      organizations: [{ organizationId: body.id, name: 'Named' }],
    })
  })

  it('of the release before learn of the first organization of a user, and of roles that they know', async () => {
    const user = await accounts.createUser()
    expect(await accounts.ask(getMembership, { userId: user.id })).toEqual({ organization: null, roles: [] })
    const { body: first } = await call(user, 'POST', '/organizations', { name: 'First' })
    await call(user, 'POST', '/organizations', { name: 'Second' })
    await call(user, 'PUT', `/organizations/${first.id}/members/${user.id}`, { roles: ['operator', 'billing', 'owner'] })
    expect(await accounts.ask(getMembership, { userId: user.id })).toEqual({
      organization: { id: first.id, name: 'First' },
      roles: ['owner', 'billing'],
    })
  })
})

function call(user: TestUser, method: string, path: string, body?: unknown) {
  return accounts.call(method, path, { token: user.token, body })
}

async function join(roles: string[]): Promise<void> {
  const known = (await accounts.mails(guest.email)).length
  await call(owner, 'POST', `/organizations/${organizationId}/invitations`, { email: guest.email, roles })
  const [{ text } = { text: '' }] = await accounts.mailed(guest.email, known + 1)
  expect((await call(guest, 'PUT', `/invitations/${/\/invitations\/(\S+)/.exec(text)?.[1]}`)).status).toBe(200)
}

/** The version of the guest's membership, which permits exactly this. */
async function permitted(permissions: readonly string[]): Promise<number> {
  const [membership] = await known(guest)
  expect(membership?.permissions).toEqual(permissions)
  return membership?.version ?? 0
}

async function known({ id }: TestUser): Promise<Membership[]> {
  return (await list()).filter(({ userId }) => userId === id)
}

async function list(since?: Date): Promise<Membership[]> {
  const memberships: Membership[] = []
  let next: string | undefined
  do {
    const page = await accounts.ask(listMemberships, { since: since?.toISOString(), after: next })
    memberships.push(...page.memberships)
    next = page.next
  } while (next)
  return memberships
}
