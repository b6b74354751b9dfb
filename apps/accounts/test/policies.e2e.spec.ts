import { listMemberships, type Membership } from '@trestle/contracts/accounts/messages'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'
import { type AppUser, factorsClient } from './factors.js'
import { join } from './joining.js'

const OFF = { requireSecondFactor: false, approvals: [] }
const FACTORS_ONLY = { requireSecondFactor: true, approvals: [] }

let accounts: AccountsUnderTest
let owner: AppUser
let admin: TestUser
let organizationId: string
beforeAll(async () => {
  accounts = await startTestAccounts({ ADMINISTRATORS: 'root@example.org' })
  owner = await factorsClient(accounts).createAppUser()
  admin = await accounts.createUser()
  organizationId = (await call(owner, 'POST', '/organizations', { name: 'Acme' })).body.id
  await join(accounts, admin, { owner, organizationId, roles: ['admin'] })
})
beforeEach(() => accounts.sql.query("UPDATE organization SET require_second_factor = false, approvals = '{}'"))
afterAll(() => accounts.stop())

describe('the policy of an organization', () => {
  it('demands nothing by default, is seen by its members and set by an owner', async () => {
    expect((await call(admin, 'GET', policyPath())).body).toEqual(OFF)
    expect((await call(await accounts.createUser(), 'GET', policyPath())).body.code).toBe('UnknownOrganization')
    expect((await call(admin, 'PUT', policyPath(), OFF)).body.code).toBe('MissingRole')
    expect(await call(owner, 'PUT', policyPath(), FACTORS_ONLY)).toMatchObject({ status: 200, body: FACTORS_ONLY })
    expect((await call(owner, 'GET', policyPath())).body).toEqual(FACTORS_ONLY)
  })

  it('is not one of somebody alone', async () => {
    const personal = `/organizations/${personalOrganizationOf(owner.id)}/policy`
    expect((await call(owner, 'PUT', personal, FACTORS_ONLY)).body.code).toBe('PersonalOrganization')
    expect((await call(owner, 'GET', personal)).body.code).toBe('PersonalOrganization')
  })

  it('is understood or refused', async () => {
    for (const body of [{}, { requireSecondFactor: true }, { ...OFF, approvals: ['nodes:read'] }, { ...OFF, approval: [] }])
      expect((await call(owner, 'PUT', policyPath(), body)).status).toBe(400)
  })

  it('demands a second factor only by the word of who has one', async () => {
    const other = await accounts.createUser()
    const { id } = (await call(other, 'POST', '/organizations', { name: 'Bare' })).body
    expect(await call(other, 'PUT', `/organizations/${id}/policy`, FACTORS_ONLY)).toMatchObject({
      status: 403,
      body: { code: 'FactorRequired' },
    })
    expect((await call(other, 'PUT', `/organizations/${id}/policy`, OFF)).status).toBe(200)
  })

  it('reaches every service with the membership of each member, in the transaction that changes it', async () => {
    const before = await memberships()
    await call(owner, 'PUT', policyPath(), FACTORS_ONLY)
    const after = await memberships()
    expect(after.map(({ policy }) => policy)).toEqual([FACTORS_ONLY, FACTORS_ONLY])
    for (const { userId, version } of after) expect(version).toBeGreaterThan(before.find((each) => each.userId === userId)?.version ?? 0)
    const { rows } = await accounts.sql.query(
      "SELECT payload FROM outbox WHERE subject = 'accounts.membership.changed' ORDER BY seq DESC LIMIT 2",
    )
    expect(rows.map(({ payload }) => payload.policy)).toEqual([FACTORS_ONLY, FACTORS_ONLY])
  })

  it('is in the security log', async () => {
    await call(owner, 'PUT', policyPath(), FACTORS_ONLY)
    const { rows } = await accounts.sql.query("SELECT user_id, target FROM security_event WHERE kind = 'organization-policy-changed'")
    expect(rows).toContainEqual({ user_id: owner.id, target: { id: organizationId } })
  })

  it('is ended by an administrator where nobody can change it any more', async () => {
    await call(owner, 'PUT', policyPath(), FACTORS_ONLY)
    const root = await accounts.createUser({ email: 'root@example.org' })
    expect((await call(admin, 'DELETE', policyPath())).body.code).toBe('NotManager')
    expect((await call(root, 'DELETE', policyPath())).status).toBe(204)
    expect((await call(owner, 'GET', policyPath())).body).toEqual(OFF)
    expect((await memberships()).map(({ policy }) => policy)).toEqual([OFF, OFF])
    expect((await call(root, 'DELETE', policyPath().replace('org-', 'org-0'))).body.code).toBe('UnknownOrganization')
  })

  it('needs two people who could approve', async () => {
    const exits = { requireSecondFactor: false, approvals: ['staking:exit'] }
    expect((await call(owner, 'PUT', policyPath(), exits)).body).toEqual({ ...exits, approvals: ['members:write', 'staking:exit'] })
    const alone = (await call(owner, 'POST', '/organizations', { name: 'Alone' })).body.id
    expect((await call(owner, 'PUT', `/organizations/${alone}/policy`, exits)).body.code).toBe('TooFewApprovers')
  })
})

describe('an organization that demands a second factor', () => {
  beforeEach(() => call(owner, 'PUT', policyPath(), FACTORS_ONLY))

  it.each([
    ['GET', ''],
    ['GET', '/members'],
    ['GET', '/invitations'],
    ['GET', '/roles'],
    ['GET', '/policy'],
    ['GET', '/service-accounts'],
    ['DELETE', '/members/me'],
  ])('is closed to a member without one, from the moment that they join: %s %s', async (method, path) => {
    const bare = await accounts.createUser()
    await join(accounts, bare, { owner, organizationId, roles: ['admin'] })
    const at = `/organizations/${organizationId}${path.replace(/me$/, bare.id)}`
    expect(await call(bare, method, at)).toMatchObject({ status: 403, body: { code: 'FactorRequired' } })
    expect((await call(owner, 'GET', `/organizations/${organizationId}`)).status).toBe(200)
  })

  it('is closed where the request chooses it, and their own things are not', async () => {
    const headers = { 'trestle-organization': organizationId }
    const keys = () => accounts.call('GET', '/users/me/client-keys', { token: admin.token, headers })
    await eventually(async () => (await keys()).body.code === 'FactorRequired' || undefined, 'the policy is known', SOON_MS)
    for (const path of ['/users/me', '/users/me/second-factors', '/users/me/events', '/organizations'])
      expect((await accounts.call('GET', path, { token: admin.token, headers })).status).toBe(200)
    expect((await call(admin, 'GET', '/users/me/client-keys')).status).toBe(200)
    expect((await call(admin, 'GET', `/organizations/${personalOrganizationOf(admin.id)}`)).status).toBe(200)
  })

  it('opens to a member who adds a factor', async () => {
    const joining = await factorsClient(accounts).createAppUser()
    await join(accounts, joining, { owner, organizationId, roles: ['admin'] })
    expect((await call(joining, 'GET', `/organizations/${organizationId}/members`)).status).toBe(200)
  })
})

function policyPath(): string {
  return `/organizations/${organizationId}/policy`
}

function call(user: TestUser, method: string, path: string, body?: unknown) {
  return accounts.call(method, path, { token: user.token, body })
}

/** Of this organization, as other services read them. */
async function memberships(): Promise<Membership[]> {
  const all: Membership[] = (await accounts.ask(listMemberships, {})).memberships
  return all.filter((each) => each.organizationId === organizationId)
}
