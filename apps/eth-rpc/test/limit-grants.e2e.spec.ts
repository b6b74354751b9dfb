import { randomUUID } from 'node:crypto'
import { MANAGER } from '@trestle/auth/claims'
import { AREAS } from '@trestle/contracts/areas'
import type { JsonReply } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { LiveProjects } from '../src/projects/live-projects.engine.js'
import { callManagement, type Management, startManagement } from './management.js'

type User = (method: string, path: string, body?: unknown) => Promise<JsonReply>

const OPERATOR = { perSecond: 1_000_000, perDay: 100_000_000_000 }

describe('limits of an owner', () => {
  let management: Management
  let manager: User
  beforeAll(async () => {
    management = await startManagement()
    manager = as(management.accounts.issuer.account({ payload: { aud: [...AREAS, MANAGER] } }))
  })
  afterAll(() => management.stop())

  const as =
    (token: string): User =>
    (method, path, body) =>
      callManagement(management.service, method, path, { token, body })
  /** Somebody with an account, and the path of what is granted to them. */
  const newOwner = () => {
    const userId = `user-${randomUUID()}`
    return { owner: as(management.accounts.issuer.account({ payload: { sub: userId } })), path: `/users/${userId}/limits` }
  }
  const projectOf = async (owner: User, limits?: object): Promise<string> =>
    (await owner('POST', '/projects', { name: 'mine', limits })).body.id
  const limitsOf = async (owner: User, id: string) => (await owner('GET', `/projects/${id}`)).body.limits

  it('are those of the operator unless others are granted', async () => {
    const { owner, path } = newOwner()
    expect((await owner('GET', '/users/me/limits')).body).toEqual(OPERATOR)
    expect((await manager('GET', path)).body).toEqual(OPERATOR)
  })

  it('are raised by administrators, which is in the security log', async () => {
    const { owner, path } = newOwner()
    const id = await projectOf(owner)
    const more = { perSecond: 5_000_000, perDay: 200_000_000_000 }
    const refused = await owner('PATCH', `/projects/${id}`, { limits: more })
    expect([refused.status, refused.body.code]).toEqual([400, 'LimitTooHigh'])
    expect(refused.body.detail).toContain('administrators of this platform can grant you more')

    const granted = await manager('PUT', path, more)
    expect([granted.status, granted.body]).toEqual([200, { ...more, grantedAt: expect.stringMatching(/Z$/) }])
    expect((await owner('GET', '/users/me/limits')).body).toEqual(granted.body)
    expect((await owner('PATCH', `/projects/${id}`, { limits: more })).body.limits).toEqual(more)
    const beyond = await owner('PATCH', `/projects/${id}`, { limits: { perSecond: more.perSecond + 1 } })
    expect(beyond.body.code).toBe('LimitTooHigh')
    const event = await eventually(
      () =>
        management.accounts.securityEvents.find(
          ({ kind, target }) => kind === 'administrator-act' && path.includes(String(target['userId'])),
        ),
      'it is in the log',
    )
    expect(event).toMatchObject({ method: 'PUT', outcome: 'success', service: 'eth' })
  })

  it('are lowered by administrators, for existing projects too, in every process within two seconds', async () => {
    const replica = await management.replica()
    const [{ owner, path }, { owner: other }] = [newOwner(), newOwner()]
    const [id, modest, foreign] = [await projectOf(owner), await projectOf(owner, { perSecond: 10, perDay: 50 }), await projectOf(other)]
    const services = [management.service, replica]
    const live = (service: (typeof services)[number], of: string) => service.app.get(LiveProjects, { strict: false }).get(of)
    for (const service of services) expect((await live(service, id))?.limits).toEqual({ perSecond: 50_000, perDay: 1_000_000_000 })

    const less = { perSecond: 100, perDay: 40 }
    await manager('PUT', path, less)
    const startedAt = performance.now()
    for (const service of services)
      await eventually(async () => (await live(service, id))?.limits.perSecond === 100 || undefined, 'the process knows the lower limit')
    expect(performance.now() - startedAt).toBeLessThan(2000)
    await replica.stop()
    expect(await limitsOf(owner, id)).toEqual(less)
    expect(await limitsOf(owner, modest)).toEqual({ perSecond: 10, perDay: 40 })
    expect(await limitsOf(other, foreign)).toEqual({ perSecond: 50_000, perDay: 1_000_000_000 })
    expect(await limitsOf(owner, await projectOf(owner))).toEqual(less)
  })

  it('are again those of the operator when they are revoked, for existing projects too', async () => {
    const { owner, path } = newOwner()
    const more = { perSecond: 9_000_000, perDay: 900_000_000_000 }
    await manager('PUT', path, more)
    const id = await projectOf(owner, more)
    const revoked = await manager('DELETE', path)
    expect([revoked.status, revoked.body]).toEqual([200, OPERATOR])
    expect(await limitsOf(owner, id)).toEqual(OPERATOR)
    expect((await manager('DELETE', path)).status).toBe(200)
  })

  it('hold for a project that is created or changed at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { owner, path } = newOwner()
      const id = await projectOf(owner)
      const [, , , { body: created }] = await Promise.all([
        owner('PATCH', `/projects/${id}`, { limits: OPERATOR }),
        manager('PUT', path, { perSecond: 7, perDay: 7 }),
        owner('PATCH', `/projects/${id}`, { limits: OPERATOR }),
        owner('POST', '/projects', { name: 'another', limits: OPERATOR }),
      ])
      for (const each of [id, created.id].filter(Boolean)) expect(await limitsOf(owner, each)).toEqual({ perSecond: 7, perDay: 7 })
    }
  })

  it('come with namespaces of methods, which the owner then allows to projects', async () => {
    const { owner, path } = newOwner()
    const refused = await owner('POST', '/projects', { name: 'mine', namespaces: ['debug'] })
    expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([400, 'NamespaceNotGranted', 'body.namespaces'])
    expect((await manager('PUT', path, { ...OPERATOR, namespaces: ['debug', 'trace'] })).body.namespaces).toEqual(['debug', 'trace'])
    expect((await owner('GET', '/users/me/limits')).body.namespaces).toEqual(['debug', 'trace'])
    const { body: project } = await owner('POST', '/projects', { name: 'mine', namespaces: ['debug', 'trace'] })
    expect(project.namespaces).toEqual(['debug', 'trace'])
    expect((await owner('PATCH', `/projects/${project.id}`, { namespaces: ['txpool'] })).body.code).toBe('NamespaceNotGranted')
    // Who knows nothing of them leaves them.
    expect((await manager('PUT', path, OPERATOR)).body.namespaces).toEqual(['debug', 'trace'])
    expect((await manager('PUT', path, { ...OPERATOR, namespaces: ['trace'] })).body.namespaces).toEqual(['trace'])
    expect((await owner('GET', `/projects/${project.id}`)).body.namespaces).toEqual(['trace'])
    await manager('DELETE', path)
    expect((await owner('GET', `/projects/${project.id}`)).body.namespaces).toBeUndefined()
  })

  it('lose their namespaces, too, when the release before revokes them', async () => {
    const { owner, path } = newOwner()
    await manager('PUT', path, { ...OPERATOR, namespaces: ['debug'] })
    const { body: project } = await owner('POST', '/projects', { name: 'mine', namespaces: ['debug'] })
    await management.sql.query('DELETE FROM eth.limit_grant WHERE owner_id = $1', [path.split('/')[2]])
    expect((await owner('GET', `/projects/${project.id}`)).body.namespaces).toBeUndefined()
  })

  it.each([['debug', 'admin'], ['DEBUG'], [1], Array(6).fill('debug')])('are not granted with the namespaces %j', async (...namespaces) => {
    expect((await manager('PUT', newOwner().path, { ...OPERATOR, namespaces })).body.code).toBe('InvalidInput')
  })

  it('are granted by administrators only, signed in themselves', async () => {
    const { owner, path } = newOwner()
    for (const [user, code] of [
      [owner, 'NotManager'],
      [as(management.accounts.issuer.client()), 'InvalidToken'],
    ] as const)
      for (const [method, body] of [['GET'], ['PUT', OPERATOR], ['DELETE']] as const)
        expect([method, (await user(method, path, body)).body.code]).toEqual([method, code])
    expect((await owner('GET', '/users/me/limits')).body).toEqual(OPERATOR)
  })

  it.each<[string, object]>([
    ['/users/user-1/limits', OPERATOR],
    [`/users/org-${randomUUID()}/limits`, OPERATOR],
    [`/users/user-${randomUUID()}/limits`, { perSecond: 0, perDay: 1 }],
    [`/users/user-${randomUUID()}/limits`, { perSecond: 1 }],
    [`/users/user-${randomUUID()}/limits`, { perSecond: 1_000_000_001, perDay: 1 }],
    [`/users/user-${randomUUID()}/limits`, { perSecond: 1, perDay: 1.5 }],
  ])('are refused at %s as %j', async (path, body) => {
    expect((await manager('PUT', path, body)).body.code).toBe('InvalidInput')
  })
})
