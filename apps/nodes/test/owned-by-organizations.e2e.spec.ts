import { randomUUID } from 'node:crypto'
import { type MemberUnderTest, OrganizationsUnderTest } from '@trestle/auth/test/organizations-under-test'
import { organizationDissolved, userDisabled } from '@trestle/contracts/accounts/messages'
import { personalOrganizationOf, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { callJson } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { type NodesUnderTest, startNodesUnderTest } from './nodes-under-test.js'

const NODES = '/users/me/nodes'
const NODE = { image: 'ltctestnet' }

let nodes: NodesUnderTest
let members: OrganizationsUnderTest
beforeAll(async () => {
  nodes = await startNodesUnderTest({ PLAN_NODES: '2' })
  members = await new OrganizationsUnderTest(nodes.accounts, nodes.service()).ready()
})
afterAll(() => nodes.stop())

describe('a node of an organization', () => {
  it('is used by members with the permission, and by nobody else', async () => {
    const organization = members.organization()
    const operator = await members.of(organization, 'operator')
    const viewer = await members.of(organization, 'viewer')
    const stranger = await members.of(members.organization(), 'owner')
    const node = await created(operator, organization)
    expect(node).toMatchObject({ organization, user: operator.id })
    const path = `${NODES}/${node.id}`
    expect(await viewer.call('GET', path, organization)).toMatchObject({
      status: 200,
      body: { id: node.id, organization, user: operator.id },
    })
    expect((await viewer.call('GET', NODES, organization)).body).toHaveLength(1)
    expect(await viewer.call('GET', NODES)).toMatchObject({ status: 200, body: [] })
    for (const [method, permission] of [
      ['DELETE', 'nodes:delete'],
      ['PATCH', 'nodes:update'],
    ] as const) {
      const refused = await viewer.call(method, path, organization, method === 'PATCH' ? {} : undefined)
      expect(refused).toMatchObject({ status: 403, body: { code: 'MissingPermission', detail: expect.stringContaining(permission) } })
    }
    expect(await stranger.call('GET', path, organization)).toMatchObject({ status: 404, body: { code: 'UnknownOrganization' } })
    expect(await stranger.call('GET', path)).toMatchObject({ status: 404, body: { code: 'UnknownNode' } })
  })

  it('stays when its creator leaves', async () => {
    const organization = members.organization()
    const creator = await members.of(organization, 'operator')
    const colleague = await members.of(organization, 'operator')
    const { id } = await created(creator, organization)
    await members.grant(creator, organization, [])
    expect(await creator.call('GET', `${NODES}/${id}`, organization)).toMatchObject({ status: 404, body: { code: 'UnknownOrganization' } })
    expect(await creator.call('GET', NODES)).toMatchObject({ body: [] })
    expect(await colleague.call('POST', `${NODES}/${id}/stop`, organization)).toMatchObject({ status: 200, body: { state: 'stopped' } })
  })

  it('runs on when its creator is disabled; what the personal organization owns is stopped', async () => {
    const organization = members.organization()
    const creator = await members.of(organization, 'operator')
    const colleague = await members.of(organization, 'viewer')
    const shared = await created(creator, organization)
    const own = await created(creator)
    await nodes.accounts.publish(userDisabled, { userId: creator.id, disabledAt: new Date().toISOString() })
    await eventually(async () => {
      const { body } = await creator.call('GET', `${NODES}/${own.id}`)
      return body.state === 'stopped' || undefined
    }, 'the own one is stopped')
    expect((await colleague.call('GET', `${NODES}/${shared.id}`, organization)).body.state).toBe('started')
  })

  it('moves to another organization in which the caller may create nodes, and to the heir of a dissolved one', async () => {
    const [from, to] = [members.organization(), members.organization()]
    const operator = await members.of(from, 'operator')
    const { id } = await created(operator, from)
    const transfer = () => operator.call('PUT', `${NODES}/${id}/organization`, from, { organization: to })
    expect(await transfer()).toMatchObject({ status: 404, body: { code: 'UnknownOrganization' } })
    await members.grant(operator, to, ROLE_PERMISSIONS.viewer)
    expect(await transfer()).toMatchObject({ status: 403, body: { code: 'MissingPermission' } })
    await members.grant(operator, to, ROLE_PERMISSIONS.operator)
    expect(await transfer()).toMatchObject({ status: 200, body: { id, organization: to } })
    expect(await transfersOf(operator, 3)).toMatchObject([
      { outcome: 'failure', code: 'UnknownOrganization' },
      { outcome: 'failure', code: 'MissingPermission' },
      { outcome: 'success', service: 'nodes', method: 'PUT', target: { id } },
    ])
    const heirId = personalOrganizationOf(operator.id)
    const dissolution = { organizationId: to, heirId, dissolvedAt: new Date().toISOString() }
    for (let times = 0; times < 2; times++) await nodes.accounts.publish(organizationDissolved, dissolution)
    await eventually(async () => (await operator.call('GET', `${NODES}/${id}`)).status === 200 || undefined, 'the heir has it')
    // The end of the membership may arrive later.
    const gone = { status: 404, body: { code: 'UnknownOrganization' } }
    expect(await operator.call('POST', NODES, to, NODE)).toMatchObject(gone)
    expect(await operator.call('PUT', `${NODES}/${id}/organization`, undefined, { organization: to })).toMatchObject(gone)
    expect(await operator.call('GET', NODES, to)).toMatchObject({ status: 200, body: [] })
  })

  it('is in the security log when it moves, and so is a cluster', async () => {
    const [from, to] = [members.organization(), members.organization()]
    const operator = await members.of(from, 'operator')
    await members.grant(operator, to, ROLE_PERMISSIONS.operator)
    const services = (await operator.call('GET', '/services/clusters')).body
    const { id: serviceId } = services.find(({ chain }: { chain: string }) => chain === 'ltc')
    const { status, body } = await operator.call('POST', '/users/me/clusters', from, { serviceId })
    expect(status).toBe(200)
    expect(await operator.call('PUT', `/users/me/clusters/${body.id}/organization`, from, { organization: to })).toMatchObject({
      status: 200,
    })
    const route = '/users/me/clusters/{id}/organization'
    expect(await transfersOf(operator, 1)).toMatchObject([{ outcome: 'success', route, target: { id: body.id } }])
  })

  it('is created once for an Idempotency-Key, which does not lead to another organization', async () => {
    const [one, other] = [members.organization(), members.organization()]
    const operator = await members.of(one, 'operator')
    await members.grant(operator, other, ROLE_PERMISSIONS.operator)
    const key = randomUUID()
    const create = (organization: string) =>
      callJson(nodes.service().url + NODES, {
        method: 'POST',
        token: operator.token,
        body: NODE,
        headers: { 'trestle-organization': organization, 'idempotency-key': key },
      })
    const { body } = await create(one)
    expect(await create(one)).toMatchObject({ status: 200, body: { id: body.id } })
    expect(await create(other)).toMatchObject({ status: 409, body: { code: 'IdempotencyKeyReused' } })
  })
})

describe('a plan', () => {
  it('is of who creates, in whatever organization, so that organizations multiply nothing', async () => {
    const [one, other] = [members.organization(), members.organization()]
    const operator = await members.of(one, 'operator')
    await members.grant(operator, other, ROLE_PERMISSIONS.operator)
    await created(operator, one)
    await created(operator, other)
    expect(await operator.call('POST', NODES, undefined, NODE)).toMatchObject({ status: 403, body: { code: 'LimitExceeded' } })
  })

  it('is of the organization, where an administrator granted one', async () => {
    const organization = members.organization()
    const operator = await members.of(organization, 'operator')
    const colleague = await members.of(organization, 'operator')
    const plan = { nodes: 3, clusters: 0, expiresAt: '2030-01-01T00:00:00.000Z' }
    const token = nodes.accounts.issuer.account({ payload: { aud: ['nodes', 'manager'] } })
    const granted = await callJson(`${nodes.service().url}/organizations/${organization}/plan`, { method: 'PUT', token, body: plan })
    expect(granted).toMatchObject({ status: 200, body: plan })
    for (const by of [operator, operator, colleague]) await created(by, organization)
    expect(await colleague.call('POST', NODES, organization, NODE)).toMatchObject({ status: 403, body: { code: 'LimitExceeded' } })
    expect(await colleague.call('GET', '/users/me/plan', organization)).toMatchObject({ body: { nodes: 3, clusters: 0 } })
    // What the organization's plan pays for is not counted against the user's.
    await created(operator)
    await created(operator)
    expect(await callJson(`${nodes.service().url}/organizations/${organization}/plan`, { token })).toMatchObject({
      body: { nodes: 3, used: { nodes: 3, clusters: 0 } },
    })
  })
})

/** What the security log has of who moves something. */
function transfersOf({ id }: MemberUnderTest, count: number) {
  return eventually(() => {
    const own = nodes.accounts.securityEvents.filter(({ user, kind }) => user === id && kind === 'ownership-transferred')
    return own.length >= count ? own : undefined
  }, 'the security log has the transfers')
}

async function created(by: MemberUnderTest, organization?: string) {
  const { status, body } = await by.call('POST', NODES, organization, NODE)
  expect(status).toBe(200)
  return body
}
