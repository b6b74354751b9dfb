import { problem, StubPlatform } from '../../test/stub-platform.js'

const ORGANIZATION = 'org-00000000-0000-4000-8000-000000000001'
const NODE = 'node-00000000-0000-4000-8000-000000000002'
const APPROVAL = {
  id: 'approval-00000000-0000-4000-8000-000000000003',
  organizationId: ORGANIZATION,
  method: 'DELETE',
  path: `/nodes/users/me/nodes/${NODE}`,
  summary: 'Remove it.',
  permission: 'nodes:delete',
  state: 'pending',
  requestedBy: 'user-00000000-0000-4000-8000-000000000004',
  createdAt: '2026-11-22T11:00:00.000Z',
  expiresAt: '2026-11-23T12:00:00.000Z',
}
/** Of an hour from the time of the stub. */
const ISSUED = Date.parse('2026-11-22T12:00:00.000Z') / 1000
const TOKEN = `x.${Buffer.from(JSON.stringify({ iat: ISSUED, exp: ISSUED + 3600 })).toString('base64url')}.x`
const APPROVALS = `/accounts/organizations/${ORGANIZATION}/approvals`
const POLICY = { requireSecondFactor: false, approvals: ['members:write', 'staking:exit'] }

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

describe('a command that a second person has to approve', () => {
  const demanded = { ...problem(403, 'ApprovalRequired', 'A second person.', { organizationId: ORGANIZATION, permission: 'nodes:delete' }) }
  const removal = `nodes rm ${NODE} --yes --org ${ORGANIZATION}`

  it('asks for the approval, and says what to do next', async () => {
    platform.on(`DELETE ${APPROVAL.path}`, demanded).on(`POST ${APPROVALS}`, { status: 201, body: APPROVAL })
    const { exit, stderr, requests } = await platform.run(removal)
    expect([exit, requests]).toEqual([4, [`DELETE ${APPROVAL.path}`, `POST ${APPROVALS} {"method":"DELETE","path":"${APPROVAL.path}"}`]])
    expect(stderr).toContain('A second person has to approve this')
    expect(stderr).toContain(`trestle approvals approve ${APPROVAL.id}`)
  })

  it('is done when it is run again, once it was approved', async () => {
    const approved = { ...APPROVAL, state: 'approved', token: 'an-approval' }
    platform.on(`DELETE ${APPROVAL.path}`, demanded, { body: { id: NODE, state: 'removed' } })
    platform.on(`POST ${APPROVALS}`, { status: 201, body: approved })
    expect(await platform.run(removal)).toMatchObject({ exit: 0 })
  })

  it('cannot be asked for by a key', async () => {
    platform.store.setLogin('default', { kind: 'client', url: platform.url, clientId: 'client-1', clientSecret: 's' })
    platform.on('POST /accounts/auth/token', { body: { accessToken: TOKEN, refreshToken: 'r', expiresIn: 3600, scope: 'nodes' } })
    platform.on(`DELETE ${APPROVAL.path}`, demanded)
    const { exit, stderr } = await platform.run(`nodes rm ${NODE} --yes`, { token: '' })
    expect([exit, stderr]).toEqual([4, expect.stringContaining('trestle login')])
    platform.store.forgetLogin('default')
  })
})

describe('trestle approvals', () => {
  it('lists what waits', async () => {
    platform.on(`GET ${APPROVALS}`, { body: [APPROVAL] })
    const { stdout, requests } = await platform.run(`approvals list --org ${ORGANIZATION}`)
    expect(requests).toEqual([`GET ${APPROVALS}?state=pending`])
    expect(stdout).toContain(`DELETE ${APPROVAL.path}`)
    expect((await platform.run(`approvals list --all --org ${ORGANIZATION}`)).requests).toEqual([`GET ${APPROVALS}`])
    expect(await platform.run('approvals list --org personal')).toMatchObject({ exit: 2, requests: [] })
  })

  it('shows what will happen before it is approved', async () => {
    const one = `${APPROVALS}/${APPROVAL.id}`
    platform.on(`GET ${one}`, { body: APPROVAL })
    platform.on(`PUT ${one}`, { body: { ...APPROVAL, state: 'approved', decidedBy: 'user-00000000-0000-4000-8000-000000000005' } })
    const line = `approvals approve ${APPROVAL.id} --org ${ORGANIZATION}`
    expect(await platform.run(line)).toMatchObject({ exit: 2, requests: [`GET ${one}`], stderr: expect.stringContaining('Remove it.') })
    const { exit, requests } = await platform.run(`${line} --yes`)
    expect([exit, requests]).toEqual([0, [`GET ${one}`, `PUT ${one} {"decision":"approved"}`]])
    expect((await platform.run(`approvals refuse ${APPROVAL.id} --org ${ORGANIZATION}`)).requests).toEqual([
      `PUT ${one} {"decision":"refused"}`,
    ])
  })
})

describe('trestle orgs policy', () => {
  const path = `/accounts/organizations/${ORGANIZATION}/policy`

  it('shows it', async () => {
    platform.on(`GET ${path}`, { body: POLICY })
    expect((await platform.run(`orgs policy ${ORGANIZATION}`)).stdout).toContain('members:write, staking:exit')
  })

  it.each([
    ['--second-factor yes', { ...POLICY, requireSecondFactor: true }],
    ['--approval nodes:delete', { ...POLICY, approvals: ['nodes:delete'] }],
    ['--approval none', { ...POLICY, approvals: [] }],
  ])('sets what is named: %s', async (options, body) => {
    platform.on(`GET ${path}`, { body: POLICY }).on(`PUT ${path}`, { body })
    expect((await platform.run(`orgs policy ${ORGANIZATION} ${options}`)).requests).toEqual([
      `GET ${path}`,
      `PUT ${path} ${JSON.stringify(body)}`,
    ])
  })
})
