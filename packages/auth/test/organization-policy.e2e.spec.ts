import { can } from '@trestle/contracts/endpoint'
import { ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
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
const factorRequired = { status: 403, body: { code: 'FactorRequired', detail: expect.stringContaining('Settings, Second factors') } }

const accounts = new FakeAccounts(new TestIssuer())
const { issuer } = accounts
const withoutFactor = issuer.account({ payload: { sub: USER } })
const withFactor = issuer.account({ payload: { sub: USER, amr: ['pwd', 'otp'], auth_time: Math.floor(Date.now() / 1000) - 7200 } })
let service: TestService
let versions = 0

beforeAll(async () => {
  service = await startService(accounts.options(), noMessaging())
  await service.app.get(Memberships).poll()
})
beforeEach(() => demand(true))
afterAll(() => service.stop())

describe('an organization that demands a second factor', () => {
  it.each(['/permitted', '/in-person'])('is closed to who has proven none: %s', async (path) => {
    expect(await inShared(path, withoutFactor)).toMatchObject(factorRequired)
    expect(await service.withToken(`${path}?organization=${SHARED}`, withoutFactor)).toMatchObject(factorRequired)
    expect(await inShared(path, withFactor)).toMatchObject({ status: 200 })
  })

  it('leaves what is their own to them: the personal organization and the account', async () => {
    expect(await service.withToken('/permitted', withoutFactor)).toMatchObject({ status: 200 })
    expect(await inShared('/account', withoutFactor)).toMatchObject({ status: 200, body: { caller: { lacksFactor: true } } })
  })

  it('lets programs in, which scopes bind', async () => {
    const token = issuer.client({ payload: { sub: USER, org: SHARED, scope: 'nodes' } })
    expect(await service.withToken('/permitted', token)).toMatchObject({ status: 200 })
  })

  it('is closed at once to a token that was verified before, and open again', async () => {
    demand(false)
    expect(await inShared('/permitted', withoutFactor)).toMatchObject({ status: 200 })
    demand(true)
    expect(await inShared('/permitted', withoutFactor)).toMatchObject(factorRequired)
    demand(false)
    expect(await inShared('/permitted', withoutFactor)).toMatchObject({ status: 200 })
  })

  it('ends what is open: whoever keeps a connection authenticates it again', async () => {
    demand(false)
    const authenticator = service.app.get(Authenticator)
    const rawHeaders = ['Authorization', `Bearer ${withoutFactor}`, HEADER, SHARED]
    const request = { raw: { headers: { authorization: rawHeaders[1], [HEADER]: SHARED }, rawHeaders, url: '/' } } as never
    await authenticator.recheck(request, can('nodes:read'))
    const changed = firstValueFrom(authenticator.changes)
    demand(true)
    await changed
    await expect(authenticator.recheck(request, can('nodes:read'))).rejects.toMatchObject({ code: 'FactorRequired' })
  })

  it('is closed where something is called by its own id, whichever organization the request chose', () => {
    const authorization = service.app.get(Authorization)
    const callerOf = (claims: object, headers = {}) =>
      authorization.callerOf({ sub: USER, sid: 'session-1', aud: ['nodes'], exp: 0, ...claims } as never, { headers, url: '/' } as never)
    for (const caller of [callerOf({}), callerOf({}, { [HEADER]: SHARED })]) {
      expect(authorization.allows(caller, 'nodes:call', SHARED)).toBe(false)
      expect(() => authorization.require(caller, 'nodes:call', SHARED)).toThrow(expect.objectContaining({ code: 'FactorRequired' }))
      expect(() => authorization.requireFactor(caller, SHARED)).toThrow(expect.objectContaining({ code: 'FactorRequired' }))
    }
    for (const caller of [callerOf({ auth_time: 1 }), callerOf({ auth_time: 1 }, { [HEADER]: SHARED })])
      expect(authorization.allows(caller, 'nodes:call', SHARED)).toBe(true)
  })
})

function inShared(path: string, token: string) {
  return service.get(path, HEADER, SHARED, 'authorization', `Bearer ${token}`)
}

function demand(requireSecondFactor: boolean): void {
  versions++
  service.app.get(Memberships).record({
    userId: USER,
    organizationId: SHARED,
    permissions: [...ROLE_PERMISSIONS.owner],
    policy: { requireSecondFactor, approvals: [] },
    version: versions,
    changedAt: new Date().toISOString(),
  })
}
