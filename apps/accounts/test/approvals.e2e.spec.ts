import { Approvals } from '@trestle/auth/approvals'
import { approvals as endpoints } from '@trestle/contracts/accounts/approvals'
import { APPROVABLE_ENDPOINTS } from '@trestle/contracts/approvable-call'
import { eventually } from '@trestle/testing/eventually'
import { type AccountsUnderTest, type HttpReply, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'
import { claimsOf } from './factors.js'
import { join } from './joining.js'

const POLICY = { requireSecondFactor: false, approvals: ['members:write', 'staking:exit', 'nodes:delete'] }
const NODE = '/nodes/users/me/nodes/node-00000000-0000-4000-8000-000000000005'
const HOUR_MS = 3600_000

let accounts: AccountsUnderTest
let owner: TestUser
let admin: TestUser
let viewer: TestUser
let organizationId: string
beforeAll(async () => {
  accounts = await startTestAccounts()
  ;[owner, admin, viewer] = [await accounts.createUser(), await accounts.createUser(), await accounts.createUser()]
  organizationId = (await call(owner, 'POST', '/organizations', { name: 'Acme' })).body.id
  await join(accounts, admin, { owner, organizationId, roles: ['admin'] })
  await join(accounts, viewer, { owner, organizationId, roles: ['viewer'] })
  expect((await call(owner, 'PUT', at('policy'), POLICY)).status).toBe(200)
})
beforeEach(async () => {
  await accounts.sql.query('DELETE FROM approval')
  await accounts.sql.query('UPDATE organization SET approvals = $1 WHERE id = $2', [POLICY.approvals, organizationId])
  await accounts.sql.query("UPDATE member SET roles = '{admin}' WHERE user_id = $1", [admin.id])
})
afterEach(() => accounts.setClockAhead(0))
afterAll(() => accounts.stop())

describe('an approval', () => {
  it('is asked for, given by a second person, and collected by who asked', async () => {
    const asked = await ask(owner, 'DELETE', `${NODE}?purge=true`)
    expect(asked).toMatchObject({
      status: 201,
      body: {
        organizationId,
        method: 'DELETE',
        path: `${NODE}?purge=true`,
        summary: expect.stringContaining('Remove it.'),
        permission: 'nodes:delete',
        state: 'pending',
        requestedBy: owner.id,
      },
    })
    expect(Date.parse(asked.body.expiresAt) - Date.parse(asked.body.createdAt)).toBe(24 * HOUR_MS)
    const { id } = asked.body
    const approved = await decide(admin, id, 'approved')
    expect(approved).toMatchObject({ status: 200, body: { state: 'approved', decidedBy: admin.id } })
    expect(approved.body.token).toBeUndefined()
    expect((await call(viewer, 'GET', at(`approvals/${id}`))).body.token).toBeUndefined()
    const collected = await call(owner, 'GET', at(`approvals/${id}`))
    expect(claimsOf(collected.body.token)).toMatchObject({
      aud: 'approval:nodes',
      sub: owner.id,
      approver: admin.id,
      org: organizationId,
      method: 'DELETE',
      path: `${NODE.slice('/nodes'.length)}?purge=true`,
      jti: id,
    })
    expect(Date.parse(collected.body.expiresAt) - Date.parse(approved.body.decidedAt)).toBe(HOUR_MS)
    expect(await accounts.call('GET', '/users/me', { token: collected.body.token })).toMatchObject({ status: 401 })
  })

  it('that waits, or was not collected, is the answer to the same request again', async () => {
    const first = await ask(owner, 'DELETE', NODE)
    expect((await ask(owner, 'DELETE', NODE)).body.id).toBe(first.body.id)
    expect((await ask(admin, 'DELETE', NODE)).body.id).not.toBe(first.body.id)
    await decide(admin, first.body.id, 'approved')
    const again = await ask(owner, 'DELETE', NODE)
    expect(again.body).toMatchObject({ id: first.body.id, state: 'approved', token: expect.any(String) })
    expect((await ask(owner, 'DELETE', NODE)).body).toMatchObject({ state: 'pending' })
  })

  it('is listed newest first, in pages, and those that wait alone', async () => {
    const ids: string[] = []
    for (const purge of ['true', 'false']) ids.unshift((await ask(owner, 'DELETE', `${NODE}?purge=${purge}`)).body.id)
    await decide(admin, ids[0] ?? '', 'refused')
    const idsOf = ({ body }: HttpReply) => body.map(({ id }: { id: string }) => id)
    const page = await call(viewer, 'GET', at('approvals?limit=1'))
    const next = /<([^>]*)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    expect([...idsOf(page), ...idsOf(await call(viewer, 'GET', next))]).toEqual(ids)
    expect(idsOf(await call(viewer, 'GET', at('approvals?state=pending')))).toEqual([ids[1]])
    expect((await call(await accounts.createUser(), 'GET', at('approvals'))).body.code).toBe('UnknownOrganization')
  })

  it('is for what an organization demands one for, and for who may do it', async () => {
    const outcome = async (user: TestUser, method: string, path: string, body?: object) => (await ask(user, method, path, body)).body.code
    expect(await outcome(owner, 'POST', `${NODE}/stop`)).toBe('NoApprovalNeeded')
    expect(await outcome(owner, 'DELETE', '/nowhere')).toBe('NoApprovalNeeded')
    expect(await outcome(owner, 'DELETE', NODE.replace('/nodes', ''))).toBe('NoApprovalNeeded')
    expect(await outcome(owner, 'DELETE', `/staking/ethereum/dev/validators/${'ab'.repeat(48)}`)).toBe('NoApprovalNeeded')
    expect(await outcome(owner, 'DELETE', '/accounts/organizations/org-1/members/x')).toBe('NoApprovalNeeded')
    expect(await outcome(viewer, 'DELETE', NODE)).toBe('MissingRole')
    expect(await outcome(owner, 'DELETE', `${NODE}?prune=true`)).toBe('InvalidInput')
    expect(await outcome(owner, 'DELETE', NODE, { force: true })).toBe('InvalidInput')
    await accounts.sql.query("UPDATE member SET roles = '{viewer}' WHERE user_id = $1", [admin.id])
    expect(await outcome(owner, 'DELETE', NODE)).toBe('TooFewApprovers')
  })

  it('is given by nobody to themselves, nor by who may not do it, nor twice', async () => {
    const { id } = (await ask(owner, 'DELETE', NODE)).body
    const again = await accounts.signIn(owner.email)
    expect((await decide({ ...owner, token: again }, id, 'approved')).body.code).toBe('OwnApproval')
    expect((await decide(viewer, id, 'approved')).body.code).toBe('MissingRole')
    const client = (await accounts.call('POST', '/users/me/client-keys', { token: admin.token })).body
    const key = await accounts.call('POST', '/auth/token', {
      body: { grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.clientSecret },
    })
    expect((await decide({ ...admin, token: key.body.access_token ?? key.body.accessToken }, id, 'approved')).status).toBe(401)
    expect((await decide(admin, id, 'approved')).status).toBe(200)
    expect((await decide(admin, id, 'refused')).body.code).toBe('AlreadyDecided')
    await expect(accounts.sql.query('UPDATE approval SET decided_by = requested_by WHERE id = $1', [id])).rejects.toThrow(
      'violates check constraint',
    )
  })

  it('may be taken back by who asks', async () => {
    const { id } = (await ask(owner, 'DELETE', NODE)).body
    expect((await decide(owner, id, 'refused')).body.state).toBe('refused')
    expect((await decide(admin, id, 'approved')).body.code).toBe('AlreadyDecided')
  })

  it('waits for a day, and is good for an hour: also one that a restored backup brings back', async () => {
    const [waiting, approved] = [(await ask(owner, 'DELETE', NODE)).body, (await ask(owner, 'DELETE', `${NODE}?purge=true`)).body]
    await decide(admin, approved.id, 'approved')
    accounts.setClockAhead(HOUR_MS + 1000)
    const late = (await call(owner, 'GET', at(`approvals/${approved.id}`))).body
    expect([late.state, late.token]).toEqual(['expired', undefined])
    accounts.setClockAhead(24 * HOUR_MS + 1000)
    expect((await decide(admin, waiting.id, 'approved')).body.code).toBe('AlreadyDecided')
    expect((await call(owner, 'GET', at(`approvals/${waiting.id}`))).body.state).toBe('expired')
  })

  it('is bounded: so many of one member wait', async () => {
    for (let index = 0; index < 20; index++) expect((await ask(owner, 'DELETE', NODE.replace(/.$/, index.toString(36)))).status).toBe(201)
    expect((await ask(owner, 'DELETE', NODE.replace(/5$/, 'zz'))).body.code).toBe('LimitExceeded')
    expect((await ask(admin, 'DELETE', NODE)).status).toBe(201)
  })

  it('is mailed to who can give it, and its decision to who asked', async () => {
    const subjects = async ({ email }: TestUser) => (await accounts.mails(email)).map(({ subject }) => subject)
    const before = (await subjects(owner)).filter((subject) => subject === 'Somebody asks for your approval')
    const { id } = (await ask(owner, 'DELETE', NODE.replace(/5$/, '6'))).body
    await eventually(async () => (await subjects(admin)).includes('Somebody asks for your approval') || undefined, 'the mail', SOON_MS)
    await decide(admin, id, 'refused')
    await eventually(async () => (await subjects(owner)).includes('What you asked for was refused') || undefined, 'the mail', SOON_MS)
    expect(await subjects(viewer)).not.toContain('Somebody asks for your approval')
    expect((await subjects(owner)).filter((subject) => subject === 'Somebody asks for your approval')).toEqual(before)
  })

  it('is in the security log', async () => {
    const { id } = (await ask(owner, 'DELETE', NODE)).body
    expect((await decide(admin, id, 'approved')).status).toBe(200)
    const logged = async (kind: string, user: TestUser, target: object) => {
      const values = [kind, user.id, target]
      const { rowCount } = await accounts.sql.query('SELECT FROM security_event WHERE kind = $1 AND user_id = $2 AND target = $3', values)
      return rowCount || undefined
    }
    await eventually(() => logged('approval-decided', admin, { id: organizationId, approvalId: id }), 'the decision', SOON_MS)
    await eventually(() => logged('approval-requested', owner, { id: organizationId }), 'the request', SOON_MS)
  })
})

describe('every endpoint of accounts that is under four eyes', () => {
  const BODIES: Record<string, object> = {
    'POST /organizations/{id}/invitations': { email: 'zoe@example.org', roles: ['viewer'] },
    'POST /organizations/{id}/service-accounts': { name: 'CI', roles: ['viewer'] },
    'PUT /organizations/{id}/members/{userId}': { roles: ['operator'] },
    'PUT /organizations/{id}/policy': POLICY,
    'PUT /organizations/{id}/roles/{name}': { permissions: ['nodes:read'] },
  }
  const CALLS = APPROVABLE_ENDPOINTS.filter(({ area }) => area === 'accounts').map(({ endpoint: { method, path } }) => ({
    method,
    path,
    body: BODIES[`${method} ${path}`],
  }))

  it.each(CALLS)('is refused without an approval, done with one, and once: $method $path', async ({ method, path, body }) => {
    const own = await pathOf(path)
    expect(await call(owner, method, own, body)).toMatchObject({ status: 403, body: { code: 'ApprovalRequired', organizationId } })
    const approval = await approved(owner, admin, method, `/accounts${own}`, body)
    expect((await withApproval(owner, method, own, { body, approval })).status).toBeLessThan(300)
    expect(await withApproval(owner, method, own, { body, approval })).toMatchObject({ status: 403, body: { code: 'ApprovalUsed' } })
  })

  it('is used with what it is for, and left unused by what fails', async () => {
    const path = at('invitations')
    const body = { email: 'zoe@example.org', roles: ['viewer'] }
    const approval = await approved(owner, admin, 'POST', `/accounts${path}`, body)
    const other = { ...body, roles: ['owner'] }
    expect((await withApproval(owner, 'POST', path, { body: other, approval })).body.code).toBe('InvalidApproval')
    expect((await withApproval(admin, 'POST', path, { body, approval })).body.code).toBe('InvalidApproval')
    expect((await withApproval(owner, 'DELETE', at(`members/${viewer.id}`), { approval })).body.code).toBe('InvalidApproval')
    expect((await withApproval(owner, 'POST', path, { body, approval })).status).toBe(201)
    const state = (await call(owner, 'GET', at('approvals'))).body[0].state
    expect(state).toBe('used')
  })

  it('binds the organization', async () => {
    const other = (await call(owner, 'POST', '/organizations', { name: 'Other' })).body.id
    await join(accounts, admin, { owner, organizationId: other, roles: ['admin'] })
    await accounts.sql.query("UPDATE organization SET approvals = '{members:write}' WHERE id = $1", [other])
    const body = { email: 'zoe@example.org', roles: ['viewer'] }
    const approval = await approved(owner, admin, 'POST', `/accounts${at('invitations')}`, body)
    expect((await withApproval(owner, 'POST', `/organizations/${other}/invitations`, { body, approval })).body.code).toBe('InvalidApproval')
  })

  it('is refused once who approved has lost the right, from the same moment', async () => {
    const path = at('roles/own')
    const body = { permissions: ['nodes:read'] }
    const approval = await approved(owner, admin, 'PUT', `/accounts${path}`, body)
    await accounts.sql.query("UPDATE member SET roles = '{viewer}' WHERE user_id = $1", [admin.id])
    expect((await withApproval(owner, 'PUT', path, { body, approval })).body.code).toBe('InvalidApproval')
  })

  it('is not to be had from a backup that does not know the approval', async () => {
    const path = at('roles/own')
    const body = { permissions: ['nodes:read'] }
    const approval = await approved(owner, admin, 'PUT', `/accounts${path}`, body)
    await accounts.sql.query('DELETE FROM approval')
    expect((await withApproval(owner, 'PUT', path, { body, approval })).body.code).toBe('ApprovalUsed')
  })

  it('leaves everybody free to leave, and administrators to end a policy that nobody can change any more', async () => {
    const leaving = await accounts.createUser()
    await accounts.sql.query("UPDATE organization SET approvals = '{}' WHERE id = $1", [organizationId])
    await join(accounts, leaving, { owner, organizationId, roles: ['viewer'] })
    await accounts.sql.query('UPDATE organization SET approvals = $1 WHERE id = $2', [POLICY.approvals, organizationId])
    expect((await call(leaving, 'DELETE', at(`members/${leaving.id}`))).status).toBe(204)
    expect((await call(owner, 'DELETE', at('policy'))).body.code).toBe('NotManager')
  })

  it('is verified by the same code as everywhere', () => {
    expect(accounts.service.app.get(Approvals, { strict: false })).toBeDefined()
    expect(endpoints.decide.stepUp).toBe(true)
  })
})

function at(path: string): string {
  return `/organizations/${organizationId}/${path}`
}

/** The path of an endpoint, with something that is there. */
async function pathOf(path: string): Promise<string> {
  if (path.includes('{invitationId}')) {
    await accounts.sql.query("UPDATE organization SET approvals = '{}' WHERE id = $1", [organizationId])
    const { id } = (await call(owner, 'POST', at('invitations'), { email: 'yan@example.org', roles: ['viewer'] })).body
    await accounts.sql.query('UPDATE organization SET approvals = $1 WHERE id = $2', [POLICY.approvals, organizationId])
    return at(`invitations/${id}`)
  }
  return path.replace('{id}', organizationId).replace('{userId}', viewer.id).replace('{name}', 'own')
}

function call(user: TestUser, method: string, path: string, body?: unknown): Promise<HttpReply> {
  return accounts.call(method, path, { token: user.token, body })
}

function ask(user: TestUser, method: string, path: string, body?: object): Promise<HttpReply> {
  return call(user, 'POST', at('approvals'), { method, path, body })
}

function decide(user: TestUser, id: string, decision: string): Promise<HttpReply> {
  return call(user, 'PUT', at(`approvals/${id}`), { decision })
}

/** The token of an approval. */
async function approved(user: TestUser, by: TestUser, method: string, path: string, body?: object): Promise<string> {
  const { id } = (await ask(user, method, path, body)).body
  await decide(by, id, 'approved')
  return (await call(user, 'GET', at(`approvals/${id}`))).body.token
}

function withApproval({ token }: TestUser, method: string, path: string, { body, approval }: { body?: object; approval: string }) {
  return accounts.call(method, path, { token, body, headers: { 'trestle-approval': approval } })
}
