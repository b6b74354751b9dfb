import { type MemberUnderTest, OrganizationsUnderTest } from '@trestle/auth/test/organizations-under-test'
import { organizationDissolved } from '@trestle/contracts/accounts/messages'
import { personalOrganizationOf, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { callJson } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { type Management, startManagement } from './management.js'

let management: Management
let members: OrganizationsUnderTest
beforeAll(async () => {
  management = await startManagement()
  members = await new OrganizationsUnderTest(management.accounts, management.service).ready()
})
afterAll(() => management.stop())

describe('a project of an organization', () => {
  it('is seen and changed by members with the permission, and by nobody else', async () => {
    const organization = members.organization()
    const developer = await members.of(organization, 'developer')
    const viewer = await members.of(organization, 'viewer')
    const stranger = await members.of(members.organization(), 'owner')
    const project = await made(developer, organization)
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
    const organization = members.organization()
    const creator = await members.of(organization, 'developer')
    const colleague = await members.of(organization, 'developer')
    const project = await made(creator, organization)
    await members.grant(creator, organization, [])
    expect(await creator.call('GET', `/projects/${project.id}`, organization)).toMatchObject({
      status: 404,
      body: { code: 'UnknownOrganization' },
    })
    expect((await colleague.call('GET', `/projects/${project.id}`, organization)).body).toEqual(project)
  })

  it('moves to another organization in which the caller may create projects, and only there', async () => {
    const [from, to] = [members.organization(), members.organization()]
    const developer = await members.of(from, 'developer')
    const project = await made(developer, from)
    const transfer = () => developer.call('PUT', `/projects/${project.id}/organization`, from, { organization: to })
    expect(await transfer()).toMatchObject({ status: 404, body: { code: 'UnknownOrganization' } })
    await members.grant(developer, to, ROLE_PERMISSIONS.viewer)
    expect(await transfer()).toMatchObject({ status: 403, body: { code: 'MissingPermission' } })
    await members.grant(developer, to, ROLE_PERMISSIONS.developer)
    expect(await transfer()).toMatchObject({ status: 200, body: { id: project.id, organization: to, user: developer.id } })
    expect(await developer.call('GET', `/projects/${project.id}`, from)).toMatchObject({ status: 404 })
    expect(await developer.call('GET', `/projects/${project.id}`, to)).toMatchObject({ status: 200 })
    const events = await eventually(() => {
      const own = management.accounts.securityEvents.filter(({ user, kind }) => user === developer.id && kind === 'ownership-transferred')
      return own.length >= 3 ? own : undefined
    }, 'the security log has the transfers')
    expect(events).toMatchObject([
      { outcome: 'failure', code: 'UnknownOrganization' },
      { outcome: 'failure', code: 'MissingPermission' },
      { outcome: 'success', service: 'eth', method: 'PUT', target: { projectId: `...${project.id.slice(-4)}` } },
    ])
  })

  it('belongs to the heir once the organization is dissolved, which gets nothing new', async () => {
    const organization = members.organization()
    const owner = await members.of(organization, 'owner')
    const project = await made(owner, organization)
    const heirId = personalOrganizationOf(owner.id)
    const dissolution = { organizationId: organization, heirId, dissolvedAt: new Date().toISOString() }
    for (let times = 0; times < 2; times++) await management.accounts.publish(organizationDissolved, dissolution)
    await eventually(async () => {
      const { status } = await owner.call('GET', `/projects/${project.id}`)
      return status === 200 || undefined
    }, 'the heir has the project')
    // The end of the membership may arrive later.
    const gone = { status: 404, body: { code: 'UnknownOrganization' } }
    expect(await owner.call('POST', '/projects', organization, { name: 'late' })).toMatchObject(gone)
    expect(await owner.call('PUT', `/projects/${project.id}/organization`, undefined, { organization })).toMatchObject(gone)
    expect(await owner.call('GET', '/projects', organization)).toMatchObject({ status: 200, body: [] })
  })
})

describe('a key of an organization', () => {
  it('is about its organization, and about no other', async () => {
    const organization = members.organization()
    const developer = await members.of(organization, 'developer')
    const project = await made(developer, organization)
    const token = management.accounts.issuer.client({ payload: { sub: developer.id, org: organization } })
    const get = (headers = {}) => callJson(`${management.service.url}/projects/${project.id}`, { token, headers })
    expect((await get()).body).toEqual(project)
    expect(await get({ 'trestle-organization': members.organization() })).toMatchObject({
      status: 403,
      body: { code: 'OtherOrganization' },
    })
    await members.grant(developer, organization, [])
    expect(await get()).toMatchObject({ status: 404, body: { code: 'UnknownOrganization' } })
  })

  it('may do what its scopes and its user may do', async () => {
    const organization = members.organization()
    const viewer = await members.of(organization, 'viewer')
    const create = async (scope: string) => {
      const token = management.accounts.issuer.client({ payload: { sub: viewer.id, org: organization, scope } })
      return (await callJson(`${management.service.url}/projects`, { method: 'POST', token, body: { name: 'x' } })).status
    }
    expect(await create('eth-rpc')).toBe(403)
    await members.grant(viewer, organization, ROLE_PERMISSIONS.developer)
    expect(await create('eth:read eth:call')).toBe(403)
    expect(await create('eth:read eth:write')).toBe(201)
  })
})

async function made(by: MemberUnderTest, organization: string) {
  return (await by.call('POST', '/projects', organization, { name: 'shared' })).body
}
