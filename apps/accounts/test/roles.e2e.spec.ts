import { accountEvents } from '@trestle/contracts/accounts/events'
import { organizations, ROLES, type Role } from '@trestle/contracts/accounts/organizations'
import { type Permission, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { type AccountsUnderTest, type HttpReply, startTestAccounts, type TestUser } from './accounts.js'

let accounts: AccountsUnderTest
let owner: TestUser
let organizationId: string
beforeAll(async () => {
  accounts = await startTestAccounts()
  owner = await accounts.createUser()
  organizationId = (await accounts.call('POST', '/organizations', { token: owner.token, body: { name: 'Acme' } })).body.id
})
afterAll(() => accounts.stop())

describe('every endpoint of an organization, for every role', () => {
  /** Each is refused for another reason, or changes nothing, once the role has admitted it. */
  const CALLS = [
    [organizations.get, undefined, '200'],
    [organizations.rename, { name: 'Acme' }, '200'],
    [organizations.remove, undefined, 'HasMembers'],
    [organizations.members, undefined, '200'],
    [organizations.changeRoles, { roles: ['viewer'] }, 'UnknownMember'],
    [organizations.removeMember, undefined, 'UnknownMember'],
    [organizations.invite, { email: 'x@example.org', roles: ['king'] }, 'UnknownRole'],
    [organizations.invitations, undefined, '200'],
    [organizations.withdraw, undefined, 'UnknownInvitation'],
    [organizations.roles, undefined, '200'],
    [organizations.role, undefined, '200'],
    [organizations.setRole, { permissions: [] }, 'BuiltInRole'],
    [organizations.removeRole, undefined, 'BuiltInRole'],
    [accountEvents.ofOrganization, undefined, '200'],
  ] as const

  it('is among the calls of this test', () => {
    const inPath = [...Object.values(organizations), ...Object.values(accountEvents)].filter(({ access }) => typeof access === 'object')
    expect(CALLS.map(([spec]) => spec)).toEqual(expect.arrayContaining(inPath))
    expect(inPath).toHaveLength(CALLS.length)
  })

  it.each(ROLES)('is open exactly where the role has its permission: %s', async (role) => {
    const user = await member([role])
    const outcomes: [string, string][] = []
    for (const [{ method, path }, body] of CALLS) {
      const at = path
        .replace('{id}', organizationId)
        .replace('{name}', 'owner')
        .replace(/\{\w+\}/, 'nobody')
      const { status, body: answer } = await as(user)(method, at, body)
      outcomes.push([`${method} ${path}`, answer?.code ?? String(status)])
    }
    const permissions: readonly Permission[] = ROLE_PERMISSIONS[role]
    expect(outcomes).toEqual(
      CALLS.map(([{ method, path, access }, , admitted]) => [
        `${method} ${path}`,
        permissions.includes(access.permission) ? admitted : 'MissingRole',
      ]),
    )
  })
})

describe('a role of the organization', () => {
  it('permits what it lists, and to see the organization, for everybody who has it and at once', async () => {
    const created = await setRole(owner, 'support', ['nodes:call'])
    expect(created).toMatchObject({
      status: 200,
      body: { name: 'support', permissions: ['organization:read', 'nodes:call'], custom: true },
    })
    const helpers = [await member(['support']), await member(['support', 'billing'])]
    const versions = await versionsOf(helpers)
    await setRole(owner, 'support', ['members:write'])
    for (const helper of helpers) {
      const { body } = await as(helper)('GET', `/organizations/${organizationId}`)
      expect(body.permissions).toEqual(expect.arrayContaining(['organization:read', 'members:write']))
      expect((await as(helper)('GET', `/organizations/${organizationId}/invitations`)).status).toBe(200)
    }
    const raised = await versionsOf(helpers)
    expect(raised.every((version, index) => version > (versions[index] ?? 0))).toBe(true)
    const { rows } = await accounts.sql.query(
      "SELECT count(*)::int AS count FROM outbox WHERE subject = 'accounts.membership.changed' AND payload->>'version' = ANY($1)",
      [raised.map(String)],
    )
    expect(rows).toEqual([{ count: 2 }])
  })

  it('is listed after those that every organization has', async () => {
    await setRole(owner, 'support', [])
    const { body } = await as(owner)('GET', `/organizations/${organizationId}/roles`)
    expect(body.map(({ name, custom }: { name: string; custom: boolean }) => [name, custom])).toEqual([
      ...ROLES.map((role) => [role, false]),
      ['support', true],
    ])
    expect((await as(owner)('GET', `/organizations/${organizationId}/roles/support`)).body).toEqual(body.at(-1))
    expect(refusal(await as(owner)('GET', `/organizations/${organizationId}/roles/king`))).toEqual([404, 'UnknownRole'])
  })

  it('gives and takes nothing that its author does not have', async () => {
    await setRole(owner, 'architect', ['organization:write', 'members:write', 'eth:call'])
    const architect = await member(['architect'])
    expect((await setRole(architect, 'caller', ['eth:call'])).status).toBe(200)
    expect(refusal(await setRole(architect, 'caller', ['staking:exit']))).toEqual([403, 'MissingRole'])
    // Neither for themself.
    expect(refusal(await setRole(architect, 'architect', ['organization:write', 'staking:exit']))).toEqual([403, 'MissingRole'])
    expect(refusal(await roles(architect, architect, ['architect', 'operator']))).toEqual([403, 'MissingRole'])
    // Nor away from somebody who may do more.
    await setRole(owner, 'exiter', ['staking:exit'])
    expect(refusal(await setRole(architect, 'exiter', []))).toEqual([403, 'MissingRole'])
    expect(refusal(await remove(architect, 'exiter'))).toEqual([403, 'MissingRole'])
    expect(refusal(await roles(architect, await member(['exiter']), ['viewer']))).toEqual([403, 'MissingRole'])
    expect((await roles(architect, architect, ['architect', 'billing'])).status).toBe(200)
  })

  it('is deleted when no member has it and no invitation gives it', async () => {
    await setRole(owner, 'guest', [])
    const guest = await member(['guest'])
    expect(refusal(await remove(owner, 'guest'))).toEqual([409, 'RoleInUse'])
    await roles(owner, guest, ['viewer'])
    const invited = { email: 'soon@example.org', roles: ['guest'] }
    const { body } = await as(owner)('POST', `/organizations/${organizationId}/invitations`, invited)
    expect(refusal(await remove(owner, 'guest'))).toEqual([409, 'RoleInUse'])
    await as(owner)('DELETE', `/organizations/${organizationId}/invitations/${body.id}`)
    expect((await remove(owner, 'guest')).status).toBe(204)
    expect(refusal(await remove(owner, 'guest'))).toEqual([404, 'UnknownRole'])
    expect(refusal(await roles(owner, guest, ['guest']))).toEqual([400, 'UnknownRole'])
  })

  it('is not one that every organization has, nor one of 51', async () => {
    expect(refusal(await setRole(owner, 'viewer', []))).toEqual([409, 'BuiltInRole'])
    expect(refusal(await remove(owner, 'viewer'))).toEqual([409, 'BuiltInRole'])
    for (const name of ['Big', 'with space', '1st', 'x'.repeat(41), '__proto__']) expect((await setRole(owner, name, [])).status).toBe(400)
    expect((await as(owner)('PUT', `/organizations/${organizationId}/roles/odd`, { permissions: ['moon:land'] })).status).toBe(400)
    const { rows } = await accounts.sql.query('SELECT count(*)::int AS count FROM role WHERE organization_id = $1', [organizationId])
    await accounts.sql.query("INSERT INTO role SELECT $1, 'own-' || n, '{}' FROM generate_series(1, 50 - $2::int) n", [
      organizationId,
      rows[0].count,
    ])
    expect(refusal(await setRole(owner, 'surplus', []))).toEqual([409, 'LimitExceeded'])
    expect((await setRole(owner, 'own-1', ['nodes:read'])).status).toBe(200)
  })
})

/** Somebody who joined by an invitation. */
async function member(given: readonly (Role | string)[]): Promise<TestUser> {
  const user = await accounts.createUser()
  await as(owner)('POST', `/organizations/${organizationId}/invitations`, { email: user.email, roles: given })
  const [{ text } = { text: '' }] = await accounts.mailed(user.email, 2)
  const { status } = await as(user)('PUT', `/invitations/${/\/invitations\/(\S+)/.exec(text)?.[1]}`)
  if (status !== 200) throw new Error(`The invitation was answered with ${status}.`)
  return user
}

function setRole(user: TestUser, name: string, permissions: Permission[]): Promise<HttpReply> {
  return as(user)('PUT', `/organizations/${organizationId}/roles/${encodeURIComponent(name)}`, { permissions })
}

function remove(user: TestUser, name: string): Promise<HttpReply> {
  return as(user)('DELETE', `/organizations/${organizationId}/roles/${name}`)
}

function roles(by: TestUser, { id }: TestUser, given: string[]): Promise<HttpReply> {
  return as(by)('PUT', `/organizations/${organizationId}/members/${id}`, { roles: given })
}

async function versionsOf(users: readonly TestUser[]): Promise<number[]> {
  const { rows } = await accounts.sql.query('SELECT version FROM member WHERE user_id = ANY($1) ORDER BY user_id', [
    users.map(({ id }) => id),
  ])
  return rows.map(({ version }) => Number(version))
}

function as({ token }: TestUser): (method: string, path: string, body?: unknown) => Promise<HttpReply> {
  return (method, path, body) => accounts.call(method, path, { token, body })
}

function refusal({ status, body }: HttpReply): [number, string] {
  return [status, body?.code]
}
