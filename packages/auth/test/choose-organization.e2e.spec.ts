import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Permission, personalOrganizationOf, ROLE_PERMISSIONS, SCOPE_PERMISSIONS } from '@trestle/contracts/permissions'
import { firstValueFrom } from 'rxjs'
import { Authenticator } from '../src/authenticator.js'
import { Authorization } from '../src/authorization.js'
import { Memberships } from '../src/memberships.js'
import { TestIssuer } from './issuer.js'
import { startService, type TestService } from './service.js'
import { FakeAccounts, noMessaging } from './sources.js'

const HEADER = 'trestle-organization'
const USER = 'user-00000000-0000-4000-8000-000000000001'
const SHARED = 'org-00000000-0000-4000-8000-000000000002'
const OTHER = 'org-00000000-0000-4000-8000-000000000003'
const unknownOrganization = { status: 404, body: { code: 'UnknownOrganization' } }

const accounts = new FakeAccounts(new TestIssuer())
const { issuer } = accounts
let service: TestService
let versions = 0

beforeAll(async () => {
  service = await startService(accounts.options(), noMessaging())
  await service.app.get(Memberships).poll()
})
beforeEach(() => permit(USER, ROLE_PERMISSIONS.viewer))
afterAll(() => service.stop())

describe('a request of an account token', () => {
  const token = issuer.account({ payload: { sub: USER } })

  it('is about the personal organization unless it names another one', async () => {
    const { body } = await service.withToken('/permitted', token)
    expect(body.caller).toMatchObject({ organizationId: personalOrganizationOf(USER), permissions: ROLE_PERMISSIONS.owner })
  })

  it.each([
    ['the header', '/permitted', [HEADER, SHARED]],
    ['the header, whatever the query has', `/permitted?organization=${OTHER}`, [HEADER, SHARED]],
    ['the query', `/permitted?_=1&organization=${SHARED}`, []],
  ])('is about the one that is named in %s', async (_, path, headers) => {
    const { status, body } = await service.get(path, ...headers, 'authorization', `Bearer ${token}`)
    expect(status).toBe(200)
    expect(body.caller).toMatchObject({ organizationId: SHARED, permissions: ROLE_PERMISSIONS.viewer })
  })

  it.each([
    ['another organization', [HEADER, OTHER]],
    ['the personal one of somebody else', [HEADER, SHARED.replace('2', '9')]],
    ['one in capitals', [HEADER, SHARED.toUpperCase()]],
    ['one twice', [HEADER, SHARED, HEADER, SHARED]],
    ['several', [HEADER, `${SHARED}, ${OTHER}`]],
    ['nothing', [HEADER, '']],
    ['everything', [HEADER, '*']],
    ['a user', [HEADER, USER]],
  ])('does not learn whether an organization exists: %s', async (_, headers) => {
    for (const path of ['/permitted', '/account'])
      expect(await service.get(path, ...headers, 'authorization', `Bearer ${token}`)).toMatchObject(unknownOrganization)
  })

  it.each(['', 'x', SHARED.slice(0, -1), `${SHARED}%0a`, OTHER])('does not learn it from the query either: %j', async (id) => {
    expect(await service.withToken(`/permitted?organization=${id}`, token)).toMatchObject(unknownOrganization)
  })

  it('needs the permission of the endpoint', async () => {
    permit(USER, ROLE_PERMISSIONS.billing)
    expect(await service.get('/permitted', HEADER, SHARED, 'authorization', `Bearer ${token}`)).toMatchObject({
      status: 403,
      body: { code: 'MissingPermission', detail: expect.stringContaining('nodes:read') },
    })
    expect(await service.get('/account', HEADER, SHARED, 'authorization', `Bearer ${token}`)).toMatchObject({ status: 200 })
  })
})

describe('a request of a client token', () => {
  const client = (org: string | undefined, scope: string) => issuer.client({ payload: { sub: USER, org, scope } })

  it('is about the organization of the key, whether it names it or not', async () => {
    for (const headers of [[], [HEADER, SHARED]]) {
      const answer = await service.get('/permitted', ...headers, 'authorization', `Bearer ${client(SHARED, 'nodes')}`)
      expect(answer).toMatchObject({ status: 200, body: { caller: { organizationId: SHARED } } })
    }
    const { body } = await service.withToken('/permitted', client(undefined, 'nodes'))
    expect(body.caller).toMatchObject({ organizationId: personalOrganizationOf(USER), permissions: SCOPE_PERMISSIONS.nodes })
  })

  it.each([SHARED, undefined])('is refused where it names another one: the key is of %s', async (org) => {
    expect(await service.get('/permitted', HEADER, OTHER, 'authorization', `Bearer ${client(org, 'nodes')}`)).toMatchObject({
      status: 403,
      body: { code: 'OtherOrganization' },
    })
  })

  it('may do no more than its scopes and, by now, its user', async () => {
    const permissionsOf = async (scope: string) => (await service.withToken('/permitted', client(SHARED, scope))).body.caller?.permissions
    expect(await permissionsOf('nodes')).toEqual(['nodes:read'])
    permit(USER, ROLE_PERMISSIONS.operator)
    expect(await permissionsOf('nodes')).toEqual(SCOPE_PERMISSIONS.nodes)
    expect(await permissionsOf('nodes:read nodes:call keys:write all')).toEqual(['nodes:read', 'nodes:call'])
    expect(await service.withToken('/permitted', client(SHARED, 'nodes:call'))).toMatchObject({ status: 403 })
  })

  it('follows its user with a token that was verified before', async () => {
    const token = client(SHARED, 'nodes')
    expect(await service.withToken('/permitted', token)).toMatchObject({ status: 200 })
    permit(USER, ROLE_PERMISSIONS.billing)
    expect(await service.withToken('/permitted', token)).toMatchObject({ status: 403, body: { code: 'MissingPermission' } })
    permit(USER, [])
    expect(await service.withToken('/permitted', token)).toMatchObject(unknownOrganization)
  })

  it('is held to the limits of its key, and to its addresses', async () => {
    const limited = issuer.client({ payload: { sub: USER, lim: { d: 2, ip: ['127.0.0.0/8'] } } })
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await service.withToken('/permitted', limited)).status)
    expect(statuses).toEqual([200, 200, 429])
    const elsewhere = issuer.client({ payload: { sub: USER, lim: { ip: ['192.0.2.0/24'] } } })
    expect(await service.withToken('/permitted', elsewhere)).toMatchObject({ status: 403, body: { code: 'AddressNotAllowed' } })
    expect(await service.withToken('/permitted', issuer.client({ payload: { lim: { s: 0 } } }))).toMatchObject({ status: 401 })
  })

  it('opens nothing that needs a person', async () => {
    permit(USER, ROLE_PERMISSIONS.owner)
    expect(await service.withToken('/in-person', client(SHARED, 'nodes'))).toMatchObject({ status: 401 })
    expect(await service.withToken('/in-person', issuer.account())).toMatchObject({ status: 200 })
  })

  it('is refused where the claim is no organization', async () => {
    for (const org of ['', '*', USER, 7, [SHARED]])
      expect(await service.withToken('/permitted', issuer.client({ payload: { sub: USER, org } }))).toMatchObject({ status: 401 })
  })
})

describe('a member who is removed', () => {
  it('reads no stream on for longer than two seconds', async () => {
    const token = issuer.account({ payload: { sub: USER } })
    const { body } = await fetch(`${service.url}/stream`, { headers: { authorization: `Bearer ${token}`, [HEADER]: SHARED } })
    const reader = body?.getReader()
    await reader?.read()
    const removed = performance.now()
    permit(USER, [])
    await expect(untilDone(reader)).rejects.toThrow('terminated')
    expect(performance.now() - removed).toBeLessThan(2_000)
  })

  it('is a reason to authenticate again who keeps a connection open', async () => {
    const changed = firstValueFrom(service.app.get(Authenticator).changes)
    permit(USER, [])
    await changed
  })

  it('has lost what is called by its own id too', async () => {
    const authorization = service.app.get(Authorization)
    const caller = authorization.callerOf(
      { sub: USER, sid: 'session-1', aud: ['nodes'], exp: 0 } as never,
      { headers: {}, url: '/' } as never,
    )
    permit(USER, ROLE_PERMISSIONS.viewer)
    expect(authorization.allows(caller, 'nodes:read', SHARED)).toBe(true)
    expect(authorization.allows(caller, 'nodes:call', SHARED)).toBe(false)
    expect(authorization.allows(caller, 'nodes:call', personalOrganizationOf(USER))).toBe(true)
    expect(authorization.allows({ ...caller, kind: 'client' }, 'nodes:read', SHARED)).toBe(false)
    permit(USER, [])
    expect(authorization.allows(caller, 'nodes:read', SHARED)).toBe(false)
  })
})

describe('a service that has read no memberships', () => {
  it('serves personal organizations, and of the others says that it does not know', async () => {
    const alone = new FakeAccounts(issuer)
    alone.membershipsAway = true
    const late = await startService(alone.options(), noMessaging())
    const token = issuer.account({ payload: { sub: `user-${randomUUID()}` } })
    while ((await late.withToken('/permitted', token)).status === 503) await delay(10)
    expect(await late.withToken('/permitted', token)).toMatchObject({ status: 200 })
    expect(await late.get('/permitted', HEADER, SHARED, 'authorization', `Bearer ${token}`)).toMatchObject({
      status: 503,
      body: { code: 'MembershipsUnknown' },
      retryAfter: '1',
    })
    await late.stop()
  })
})

function permit(userId: string, permissions: readonly Permission[]): void {
  versions++
  service.app.get(Memberships).record({
    userId,
    organizationId: SHARED,
    permissions: [...permissions],
    version: versions,
    changedAt: new Date().toISOString(),
  })
}

async function untilDone(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  while (reader && !(await reader.read()).done);
}
