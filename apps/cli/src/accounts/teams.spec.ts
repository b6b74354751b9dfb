import { problem, StubPlatform } from '../../test/stub-platform.js'

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

const ORG = 'org-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11'
const USER = 'user-5c1d7c1e-3b5b-4f3e-8a77-2a4c1f0f2a11'
const KEY = 'client-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11'
const SINCE = '2026-11-20T12:00:00.000Z'
const AT = `/accounts/organizations/${ORG}`

it.each(['roles list', 'roles rm x -y', 'service-accounts list', `service-accounts rm ${USER} -y`])(
  'trestle %s is about an organization with members',
  async (line) => {
    expect(await platform.run(line)).toMatchObject({ exit: 2, requests: [], stderr: expect.stringContaining('trestle orgs use <id>') })
  },
)

describe('trestle roles', () => {
  it('lists what each permits, and which are the organization’s own', async () => {
    platform.on(`GET ${AT}/roles`, {
      body: [
        { name: 'billing', permissions: ['organization:read', 'billing:read'], custom: false },
        { name: 'on-call', permissions: ['nodes:read'], custom: true },
      ],
    })
    const { stdout } = await platform.run(`roles list --org ${ORG}`)
    expect(stdout).toMatch(/billing +organization:read, billing:read\n.*on-call +yes +nodes:read/)
  })

  it('defines one, or changes it', async () => {
    platform.on(`PUT ${AT}/roles/on-call`, { body: { name: 'on-call', permissions: ['organization:read', 'nodes:read'], custom: true } })
    expect(await platform.run(`roles set on-call nodes:read nodes:read --org ${ORG}`)).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('organization:read, nodes:read'),
      requests: [`PUT ${AT}/roles/on-call {"permissions":["nodes:read"]}`],
    })
    expect(await platform.run(`roles set on-call nodes:all --org ${ORG}`)).toMatchObject({ exit: 2, requests: [] })
    expect(await platform.run(`roles set on-call --org ${ORG}`)).toMatchObject({ exit: 2, requests: [] })
  })

  it('deletes one after a confirmation, and says why not', async () => {
    expect(await platform.run(`roles rm on-call --org ${ORG}`)).toMatchObject({ exit: 2, requests: [] })
    platform.on(`DELETE ${AT}/roles/on-call`, problem(409, 'RoleInUse', 'A member has the role.'), { status: 204 })
    expect((await platform.run(`roles rm on-call -y --org ${ORG}`)).stderr).toContain('A member has the role.')
    expect(await platform.run(`roles rm on-call -y --org ${ORG}`)).toMatchObject({ exit: 0, stderr: 'The role on-call is deleted.\n' })
  })
})

describe('trestle service-accounts', () => {
  const account = { id: USER, name: 'deployer', roles: ['operator', 'on-call'], createdAt: SINCE }

  it('lists them', async () => {
    platform.on(`GET ${AT}/service-accounts`, { body: [account] }, { body: [] })
    expect((await platform.run(`service-accounts list --org ${ORG}`)).stdout).toMatch(/deployer +operator, on-call +2d ago/)
    expect((await platform.run(`service-accounts list --org ${ORG}`)).stderr).toContain('service-accounts create')
  })

  it('creates one, also with a role of the organization’s own, and says how it gets a key', async () => {
    platform.on(`POST ${AT}/service-accounts`, { status: 201, body: account })
    const { stdout, requests } = await platform.run(`service-accounts create deployer operator on-call --org ${ORG}`)
    expect(requests).toEqual([`POST ${AT}/service-accounts {"name":"deployer","roles":["operator","on-call"]}`])
    expect(stdout).toContain(`trestle keys create --service-account ${USER}`)
  })

  it('deletes one after a confirmation', async () => {
    expect(await platform.run(`service-accounts rm ${USER} --org ${ORG}`)).toMatchObject({ exit: 2, requests: [] })
    platform.on(`DELETE ${AT}/service-accounts/${USER}`, { status: 204 })
    expect(await platform.run(`service-accounts rm ${USER} -y --org ${ORG}`)).toMatchObject({ exit: 0, stderr: `${USER} is deleted.\n` })
  })
})

describe('trestle keys edit', () => {
  const key = { id: KEY, scopes: ['btc:read'], createdAt: SINCE, perSecond: 50, allowedIps: ['192.0.2.0/24'] }
  const edit = (options: string) => platform.run(`keys edit ${KEY} ${options}`)
  beforeEach(() => platform.on(`PATCH /accounts/users/me/client-keys/${KEY}`, { body: key }))

  it.each([
    ['--name indexer', '{"name":"indexer"}'],
    ['--scope btc:read --scope nodes', '{"scopes":["btc:read","nodes"]}'],
    ['--expires 1d', '{"expiresAt":"2026-11-23T12:00:00.000Z"}'],
    ['--per-second 50 --per-day 1000', '{"perSecond":50,"perDay":1000}'],
    ['--allow 192.0.2.0/24 --clear expires', '{"allowedIps":["192.0.2.0/24"],"expiresAt":null}'],
    ['--clear name --clear per-second --clear per-day --clear allow', '{"name":null,"perSecond":null,"perDay":null,"allowedIps":[]}'],
  ])('%s sends what was given, and nothing else', async (options, body) => {
    const { exit, requests } = await edit(options)
    expect([exit, requests]).toEqual([0, [expect.stringMatching(/^PATCH /)]])
    expect(JSON.parse(requests[0]?.split(' ').slice(2).join(' ') ?? '')).toEqual(JSON.parse(body))
  })

  it('shows the key as it is then', async () => {
    expect((await edit('--per-second 50')).stdout).toMatch(/areas +btc:read\na second +50\nallowed from +192\.0\.2\.0\/24\nexpires +never/)
  })

  it.each(['', '--name x --clear name', '--per-second 0', '--clear scope', '--expires soon'])('refuses %p', async (options) => {
    expect(await edit(options)).toMatchObject({ exit: 2, requests: [] })
  })
})
