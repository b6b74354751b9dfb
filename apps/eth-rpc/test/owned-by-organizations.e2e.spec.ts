import { randomUUID } from 'node:crypto'
import { Memberships } from '@trestle/auth/memberships'
import { organizationDissolved } from '@trestle/contracts/accounts/messages'
import { type Permission, personalOrganizationOf, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { callJson } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { type Management, startManagement } from './management.js'

let management: Management
beforeAll(async () => {
  management = await startManagement()
  await management.service.app.get(Memberships).poll()
})
afterAll(() => management.stop())

describe('a project of an organization', () => {
  it('is seen and changed by members with the permission, and by nobody else', async () => {
    const organization = newOrganization()
    const developer = await member(organization, 'developer')
    const viewer = await member(organization, 'viewer')
    const stranger = await member(newOrganization(), 'owner')
    const project = await developer.made(organization)
    expect(project).toMatchObject({ organization, user: developer.id })
    expect((await viewer.call('GET', `/projects/${project.id}`, organization)).body).toEqual(project)
    expect((await viewer.call('GET', '/projects', organization)).body).toEqual([project])
    expect(await viewer.call('PATCH', `/projects/${project.id}`, organization, { name: 'x' })).toMatchObject({
      status: 403,
      body: { code: 'MissingPermission', detail: expect.stringContaining('eth:write') },
    })
    expect(await stranger.call('GET', `/projects/${project.id}`, organization)).toMatchObject({
      status: 404,
      body: { code: 'UnknownOrganization' },
    })
    expect(await stranger.call('GET', `/projects/${project.id}`)).toMatchObject({ status: 404, body: { code: 'UnknownProject' } })
    expect((await viewer.call('GET', '/projects')).body).toEqual([])
  })

  it('stays when its creator leaves', async () => {
    const organization = newOrganization()
    const creator = await member(organization, 'developer')
    const colleague = await member(organization, 'developer')
    const project = await creator.made(organization)
    await grant(creator.id, organization, [])
    expect(await creator.call('GET', `/projects/${project.id}`, organization)).toMatchObject({
      status: 404,
      body: { code: 'UnknownOrganization' },
    })
    expect((await colleague.call('GET', `/projects/${project.id}`, organization)).body).toEqual(project)
  })

  it('moves to another organization in which the caller may create projects, and only there', async () => {
    const [from, to] = [newOrganization(), newOrganization()]
    const developer = await member(from, 'developer')
    const project = await developer.made(from)
    const transfer = () => developer.call('PUT', `/projects/${project.id}/organization`, from, { organization: to })
    expect(await transfer()).toMatchObject({ status: 404, body: { code: 'UnknownOrganization' } })
    await grant(developer.id, to, ROLE_PERMISSIONS.viewer)
    expect(await transfer()).toMatchObject({ status: 403, body: { code: 'MissingPermission' } })
    await grant(developer.id, to, ROLE_PERMISSIONS.developer)
    expect(await transfer()).toMatchObject({ status: 200, body: { id: project.id, organization: to, user: developer.id } })
    expect(await developer.call('GET', `/projects/${project.id}`, from)).toMatchObject({ status: 404 })
    expect(await developer.call('GET', `/projects/${project.id}`, to)).toMatchObject({ status: 200 })
  })

  it('belongs to the heir once the organization is dissolved', async () => {
    const organization = newOrganization()
    const owner = await member(organization, 'owner')
    const project = await owner.made(organization)
    await management.accounts.publish(organizationDissolved, {
      organizationId: organization,
      heirId: personalOrganizationOf(owner.id),
      dissolvedAt: new Date().toISOString(),
    })
    await eventually(async () => {
      const { status } = await owner.call('GET', `/projects/${project.id}`)
      return status === 200 || undefined
    }, 'the heir has the project')
  })
})

describe('a key of an organization', () => {
  it('is about its organization, and about no other', async () => {
    const organization = newOrganization()
    const developer = await member(organization, 'developer')
    const project = await developer.made(organization)
    const token = management.accounts.issuer.client({ payload: { sub: developer.id, org: organization } })
    const get = (headers = {}) => callJson(`${management.service.url}/projects/${project.id}`, { token, headers })
    expect((await get()).body).toEqual(project)
    expect(await get({ 'trestle-organization': newOrganization() })).toMatchObject({ status: 403, body: { code: 'OtherOrganization' } })
    await grant(developer.id, organization, [])
    expect(await get()).toMatchObject({ status: 404, body: { code: 'UnknownOrganization' } })
  })

  it('may do what its scopes and its user may do', async () => {
    const organization = newOrganization()
    const viewer = await member(organization, 'viewer')
    const create = async (scope: string) => {
      const token = management.accounts.issuer.client({ payload: { sub: viewer.id, org: organization, scope } })
      return (await callJson(`${management.service.url}/projects`, { method: 'POST', token, body: { name: 'x' } })).status
    }
    expect(await create('eth-rpc')).toBe(403)
    await grant(viewer.id, organization, ROLE_PERMISSIONS.developer)
    expect(await create('eth:read eth:call')).toBe(403)
    expect(await create('eth:read eth:write')).toBe(201)
  })
})

function newOrganization(): string {
  return `org-${randomUUID()}`
}

async function grant(userId: string, organizationId: string, permissions: readonly Permission[]): Promise<void> {
  await management.accounts.grant({ userId, organizationId, permissions: [...permissions] })
  const memberships = management.service.app.get(Memberships)
  await eventually(
    () => (memberships.permissionsOf(userId, organizationId)?.size ?? 0) === permissions.length || undefined,
    'the service knows it',
  )
}

async function member(organization: string, role: keyof typeof ROLE_PERMISSIONS) {
  const id = `user-${randomUUID()}`
  const token = management.accounts.issuer.account({ payload: { sub: id } })
  await grant(id, organization, ROLE_PERMISSIONS[role])
  const call = (method: string, path: string, chosen?: string, body?: unknown) =>
    callJson(management.service.url + path, { method, token, body, headers: chosen ? { 'trestle-organization': chosen } : {} })
  return { id, call, made: async (of: string) => (await call('POST', '/projects', of, { name: 'shared' })).body }
}
