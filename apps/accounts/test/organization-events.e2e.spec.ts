import type { OrganizationEvent } from '@trestle/contracts/accounts/events'
import { eventually } from '@trestle/testing/eventually'
import { PersonalDataRepository } from '../src/account-deletion/personal-data.repository.js'
import { type AccountsUnderTest, SOON_MS, startTestAccounts, type TestUser } from './accounts.js'

let accounts: AccountsUnderTest
let owner: TestUser
let id: string
beforeAll(async () => {
  accounts = await startTestAccounts()
  owner = await accounts.createUser()
  id = (await as(owner)('POST', '/organizations', { name: 'Acme' })).body.id
})
afterAll(() => accounts.stop())

describe('GET /organizations/{id}/events', () => {
  it('lists what members did in its name, by whom, and nothing that they did for themselves', async () => {
    const admin = await member('admin')
    await as(admin)('PATCH', `/organizations/${id}`, { name: 'Acme Ltd' })
    await as(admin, { 'trestle-organization': id })('PATCH', '/users/me', { displayName: 'Grace' })
    await as(admin)('GET', '/users/me')
    const renamed = await known((event) => event.user === admin.id && event.input['method'] === 'PATCH')
    expect(renamed).toMatchObject({
      input: { route: '/organizations/{id}', params: { id } },
      serviceData: { actor: {} },
      by: { displayName: 'Grace', email: admin.email },
    })
    expect(renamed).not.toHaveProperty('organization')
    expect((await list()).filter(({ input }) => String(input['route']).startsWith('/users/me'))).toEqual([])
  })

  it('names no session, no address of a person, and no secret', async () => {
    await as(owner, { 'trestle-organization': id })('POST', '/users/me/client-keys', { name: 'ci' })
    await known(({ input }) => input['route'] === '/users/me/client-keys')
    expect(JSON.stringify(await list())).not.toMatch(/session-|127\.0\.0\.1|trs_/)
  })

  it('cannot be filled by who is no member', async () => {
    const outsider = await accounts.createUser()
    await as(outsider)('PATCH', `/organizations/${id}`, { name: 'Mine' })
    await as(outsider)('GET', `/organizations/${id}/events`)
    await as(outsider, { 'trestle-organization': id })('GET', '/users/me/client-keys')
    const own = async () => (await as(outsider)('GET', '/users/me/events')).body.length >= 3 || undefined
    await eventually(own, 'the refusals are recorded', SOON_MS)
    expect((await list()).filter(({ user }) => user === outsider.id)).toEqual([])
  })

  it('has only changes where these are asked for, in pages that are linked so', async () => {
    for (const name of ['A', 'B', 'C']) await as(owner)('PATCH', `/organizations/${id}`, { name })
    await as(owner)('GET', `/organizations/${id}/members`)
    await known(({ input }) => input['route'] === '/organizations/{id}/members')
    const first = await as(owner)('GET', `/organizations/${id}/events?changes=true&limit=2`)
    const path = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    expect(path).toContain('changes=true')
    const second = await as(owner)('GET', path)
    const changes: OrganizationEvent[] = [...first.body, ...second.body]
    expect(changes.map(({ input }) => input['method'])).not.toContain('GET')
    expect(new Set(changes.map((event) => event.id)).size).toBe(changes.length)
  })

  it('still says who it was that has left, or whose account is erased', async () => {
    const leaver = await member('admin')
    await as(leaver)('PATCH', `/organizations/${id}`, { name: 'Their mark' })
    const isTheirs = ({ user, input }: OrganizationEvent) => user === leaver.id && input['method'] === 'PATCH'
    expect((await known(isTheirs)).by).not.toHaveProperty('former')
    await as(leaver)('DELETE', `/organizations/${id}/members/${leaver.id}`)
    expect((await known(isTheirs)).by).toEqual({ displayName: 'Ada', email: leaver.email, former: true })
    expect((await as(leaver)('GET', `/organizations/${id}/events`)).body.code).toBe('UnknownOrganization')

    const data = accounts.service.app.get(PersonalDataRepository, { strict: false })
    await accounts.sql.query('DELETE FROM member WHERE user_id = $1', [leaver.id])
    await accounts.sql.query('DELETE FROM "user" WHERE id = $1', [leaver.id])
    expect((await known(isTheirs)).by).toEqual({ former: true })
    const left = async () => {
      await data.deleteActivity(leaver.id)
      const { rows } = await accounts.sql.query('SELECT organization_id, service_data FROM event WHERE user_id = $1', [leaver.id])
      return rows.every((row) => row.organization_id === id) && !/session-|127\.0\.0\.1/.test(JSON.stringify(rows)) ? rows : undefined
    }
    // A record may come late; then it is erased with the next announcement.
    expect(await eventually(left, 'everything else is erased', SOON_MS)).not.toEqual([])
  })

  it('is not that of somebody alone', async () => {
    const { body } = await as(owner)('GET', `/organizations/${owner.id.replace('user-', 'org-')}/events`)
    expect(body.code).toBe('PersonalOrganization')
  })
})

function as({ token }: TestUser, headers: Record<string, string> = {}) {
  return (method: string, path: string, body?: unknown) => accounts.call(method, path, { token, body, headers })
}

async function list(): Promise<OrganizationEvent[]> {
  return (await as(owner)('GET', `/organizations/${id}/events?limit=1000`)).body
}

/** The newest that is recorded. */
function known(is: (event: OrganizationEvent) => boolean): Promise<OrganizationEvent> {
  return eventually(async () => (await list()).find(is), 'the event is there', SOON_MS)
}

/** Somebody who joined by an invitation. */
async function member(role: string): Promise<TestUser> {
  const user = await accounts.createUser()
  await as(owner)('POST', `/organizations/${id}/invitations`, { email: user.email, roles: [role] })
  const [{ text } = { text: '' }] = await accounts.mailed(user.email, 2)
  await as(user)('PUT', `/invitations/${/\/invitations\/(\S+)/.exec(text)?.[1]}`)
  return user
}
