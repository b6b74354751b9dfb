import { problem, StubPlatform } from '../../test/stub-platform.js'

const ORGANIZATION_ID = 'org-00000000-0000-4000-8000-000000000001'
const USER_ID = 'user-00000000-0000-4000-8000-000000000002'
const CLIENT_ID = 'client-00000000-0000-4000-8000-000000000003'
const YESTERDAY = '2026-11-21T12:00:00.000Z'
const TOMORROW = '2026-11-23T12:00:00.000Z'
const ORGANIZATION = { id: ORGANIZATION_ID, name: 'Engines', roles: ['owner'], permissions: [], createdAt: YESTERDAY }
const MEMBER = { userId: USER_ID, email: 'ada@example.org', displayName: 'Ada', roles: ['member', 'billing'], joinedAt: YESTERDAY }
const INVITATION = {
  id: 'invitation-00000000-0000-4000-8000-000000000004',
  email: 'grace@example.org',
  roles: ['auditor'],
  createdAt: YESTERDAY,
  expiresAt: TOMORROW,
}
const KEY = { id: CLIENT_ID, name: 'indexer', createdAt: YESTERDAY, scopes: ['btc-connect'], expiresAt: TOMORROW }

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

describe('trestle orgs', () => {
  it.each([
    ['orgs list', 'GET /accounts/organizations', [ORGANIZATION], 'Engines  owner       1d ago'],
    ["orgs create 'Engines'", 'POST /accounts/organizations {"name":"Engines"}', ORGANIZATION, 'your roles  owner'],
    [`orgs members ${ORGANIZATION_ID}`, `GET /accounts/organizations/${ORGANIZATION_ID}/members`, [MEMBER], 'member, billing  1d ago'],
    [
      `orgs roles ${ORGANIZATION_ID} ${USER_ID} member billing`,
      `PUT /accounts/organizations/${ORGANIZATION_ID}/members/${USER_ID} {"roles":["member","billing"]}`,
      MEMBER,
      'roles   member, billing',
    ],
    [
      `orgs invite ${ORGANIZATION_ID} grace@example.org --role auditor`,
      `POST /accounts/organizations/${ORGANIZATION_ID}/invitations {"email":"grace@example.org","roles":["auditor"]}`,
      INVITATION,
      'expires     in 1d',
    ],
    [
      `orgs invite ${ORGANIZATION_ID} grace@example.org`,
      `POST /accounts/organizations/${ORGANIZATION_ID}/invitations {"email":"grace@example.org","roles":["member"]}`,
      INVITATION,
      'roles       auditor',
    ],
    [`orgs invitations ${ORGANIZATION_ID}`, `GET /accounts/organizations/${ORGANIZATION_ID}/invitations`, [INVITATION], 'auditor  in 1d'],
  ])('%s sends %s', async (line, request, body, text) => {
    platform.on(request.split(' ').slice(0, 2).join(' '), { status: request.startsWith('POST') ? 201 : 200, body })
    expect(await platform.run(line)).toEqual({ exit: 0, stderr: '', stdout: expect.stringContaining(text), requests: [request] })
  })

  it('is about the organization of the option, or of the environment, or of the profile', async () => {
    const named = async (line: string, organization?: string) => {
      platform.on('GET /nodes/users/me/nodes', { body: [] }).on('GET /nodes/users/me/nodes/statuses', { body: [] })
      expect(await platform.run(line, { organization })).toMatchObject({ exit: 0 })
      return [...new Set(platform.organizations)]
    }
    expect(await named('nodes list')).toEqual([undefined])
    platform.on(`GET /accounts/organizations/${ORGANIZATION_ID}`, { body: ORGANIZATION })
    expect(await platform.run(`orgs use ${ORGANIZATION_ID}`)).toMatchObject({
      exit: 0,
      stderr: 'Commands are about Engines from now on.\n',
    })
    expect(await named('nodes list')).toEqual([ORGANIZATION_ID])
    expect(await named('nodes list', 'org-env')).toEqual(['org-env'])
    expect(await named('nodes list --org org-option', 'org-env')).toEqual(['org-option'])
    expect(await named('nodes list --org personal')).toEqual([undefined])
    expect(await platform.run('orgs use personal')).toMatchObject({ exit: 0, requests: [] })
    expect(await named('nodes list')).toEqual([undefined])
  })

  it('keeps the organization of a profile that logs in again at its platform, and at no other', () => {
    platform.store.setUrl('work', 'http://one')
    platform.store.setOrganization('work', ORGANIZATION_ID)
    platform.store.setUrl('work', 'http://one')
    expect(platform.store.organizationOf('work')).toBe(ORGANIZATION_ID)
    platform.store.setUrl('work', 'http://other')
    expect(platform.store.organizationOf('work')).toBeUndefined()
  })

  it('chooses no organization that the user is not in', async () => {
    const code = 'UnknownOrganization'
    platform.on('GET /accounts/organizations/org-other', problem(404, code, 'You are not a member of an organization with this id.'))
    expect(await platform.run('orgs use org-other')).toMatchObject({ exit: 5 })
    expect(platform.store.organizationOf('default')).toBeUndefined()
  })

  it('reads the token of an invitation from the standard input, never from an argument', async () => {
    platform.on('PUT /accounts/invitations/secret', { body: ORGANIZATION })
    expect(await platform.run('orgs accept', { stdin: 'secret\n' })).toMatchObject({
      exit: 0,
      requests: ['PUT /accounts/invitations/secret'],
    })
    expect(await platform.run('orgs accept secret')).toMatchObject({ exit: 2, requests: [] })
  })

  it('removes a member only when that is confirmed', async () => {
    const request = `DELETE /accounts/organizations/${ORGANIZATION_ID}/members/${USER_ID}`
    platform.on(request, { status: 204 })
    const line = `orgs remove ${ORGANIZATION_ID} ${USER_ID}`
    expect(await platform.run(line)).toMatchObject({ exit: 2, requests: [], stderr: expect.stringContaining('--yes') })
    expect(await platform.run(`${line} --yes`)).toMatchObject({ exit: 0, requests: [request], stdout: '' })
  })

  it('suggests a first step where a list is empty, outside the data', async () => {
    platform.on('GET /accounts/organizations', { body: [] })
    expect(await platform.run('orgs list')).toMatchObject({ stdout: '', stderr: expect.stringContaining('trestle orgs create <name>') })
    expect(await platform.run('orgs list -o json')).toMatchObject({ stdout: '[]\n', stderr: '' })
  })
})

describe('a role of the organization itself', () => {
  it('is given by an invitation, and to a member', async () => {
    platform.on(`POST /accounts/organizations/${ORGANIZATION_ID}/invitations`, { status: 201, body: INVITATION })
    const { requests } = await platform.run(`orgs invite ${ORGANIZATION_ID} grace@example.org --role caretaker`)
    expect(requests).toEqual([
      `POST /accounts/organizations/${ORGANIZATION_ID}/invitations {"email":"grace@example.org","roles":["caretaker"]}`,
    ])
    const at = `/accounts/organizations/${ORGANIZATION_ID}/members/${USER_ID}`
    platform.on(`PUT ${at}`, { body: { ...INVITATION, roles: ['caretaker'] } })
    const changed = await platform.run(`orgs roles ${ORGANIZATION_ID} ${USER_ID} caretaker`)
    expect(changed.requests.at(-1)).toBe(`PUT ${at} {"roles":["caretaker"]}`)
  })
})

describe('trestle keys', () => {
  it('creates a key that may do little, for a service account', async () => {
    platform.on('POST /accounts/users/me/client-keys', {
      body: { clientId: CLIENT_ID, clientSecret: 's3cret', createdAt: YESTERDAY, scopes: ['nodes:read'] },
    })
    const line = 'keys create --scope nodes:read --per-second 5 --per-day 1000 --allow 192.0.2.1 --allow 10.0.0.0/8'
    const { requests } = await platform.run(`${line} --service-account ${USER_ID}`)
    const body = {
      scopes: ['nodes:read'],
      perSecond: 5,
      perDay: 1000,
      allowedIps: ['192.0.2.1', '10.0.0.0/8'],
      serviceAccountId: USER_ID,
    }
    expect(requests).toEqual([`POST /accounts/users/me/client-keys ${JSON.stringify(body)}`])
  })

  it.each([
    ['', 0],
    [' --grace 1d', 86_400],
  ])('rotates a key%s', async (grace, graceSeconds) => {
    const at = `/accounts/users/me/client-keys/${CLIENT_ID}/rotate`
    platform.on(`POST ${at}`, { body: { clientId: CLIENT_ID, clientSecret: 's3cret', createdAt: YESTERDAY, scopes: ['nodes'] } })
    const { stdout, requests } = await platform.run(`keys rotate ${CLIENT_ID}${grace}`)
    expect(requests).toEqual([`POST ${at} ${JSON.stringify({ graceSeconds })}`])
    expect(stdout).toContain('secret     s3cret')
  })

  it('lists scopes, use and expiry', async () => {
    platform.on('GET /accounts/users/me/client-keys', { body: [KEY] })
    const { stdout } = await platform.run('keys list')
    expect(stdout.split('\n')[1]).toBe(`${CLIENT_ID}  indexer  btc-connect  1d ago   never      in 1d`)
  })

  it('creates a key with scopes and an expiry counted from now', async () => {
    const body = { clientId: CLIENT_ID, clientSecret: 's3cret', createdAt: YESTERDAY, scopes: ['nodes', 'staking'], expiresAt: TOMORROW }
    platform.on('POST /accounts/users/me/client-keys', { body })
    const { stdout, requests } = await platform.run('keys create --name ci --scope nodes --scope staking --expires 1d')
    expect(requests).toEqual([`POST /accounts/users/me/client-keys {"name":"ci","scopes":["nodes","staking"],"expiresAt":"${TOMORROW}"}`])
    expect(stdout).toContain('secret     s3cret')
  })

  it.each([
    ['--scope', 'accounts'],
    ['--expires', 'tomorrow'],
  ])('refuses %s %s before any request', async (option, value) => {
    expect(await platform.run(`keys create ${option} ${value}`)).toMatchObject({
      exit: 2,
      requests: [],
      stderr: expect.stringContaining(`${option} cannot be "${value}".`),
    })
  })

  it('deletes a key that is confirmed', async () => {
    platform.on(`DELETE /accounts/users/me/client-keys/${CLIENT_ID}`, { status: 204 })
    expect(await platform.run(`keys rm ${CLIENT_ID} -y`)).toMatchObject({ exit: 0, stdout: '', stderr: `${CLIENT_ID} is deleted.\n` })
  })
})

describe('trestle events', () => {
  const event = (number: number) => ({
    id: `event-00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    user: USER_ID,
    service: 'nodes',
    input: { method: 'GET', route: '/users/me/nodes' },
    output: { startTime: YESTERDAY, endTime: YESTERDAY, httpStatusCode: 200, bytesOut: 2048 },
    serviceData: {},
    createdAt: YESTERDAY,
  })

  it('shows one row for each event', async () => {
    platform.on('GET /accounts/users/me/events', { body: [event(1)] })
    const { stdout, requests } = await platform.run('events --since 1d --limit 5')
    expect(requests).toEqual([`GET /accounts/users/me/events?from=${encodeURIComponent(YESTERDAY)}&limit=5`])
    expect(stdout.split('\n')[1]).toBe('2026-11-21 12:00:00  nodes    GET /users/me/nodes  200     2.0 KiB')
  })

  it('follows pages until it has as many as asked for', async () => {
    const link = { link: '</accounts/users/me/events?cursor=abc>; rel="next"' }
    platform.on('GET /accounts/users/me/events', { body: [event(1), event(2)], headers: link }, { body: [event(3), event(4)] })
    const { stdout, requests } = await platform.run('events --limit 3 -o json')
    expect(JSON.parse(stdout).map(({ id }: { id: string }) => id.at(-1))).toEqual(['1', '2', '3'])
    expect(requests[1]).toBe('GET /accounts/users/me/events?cursor=abc')
  })

  it.each(['0', '-1', '1.5', 'many'])('refuses --limit=%s', async (limit) => {
    expect(await platform.run(`events --limit=${limit}`)).toMatchObject({ exit: 2, requests: [] })
  })
})

describe('trestle orgs events', () => {
  const event = (by?: object) => ({
    id: 'event-00000000-0000-4000-8000-000000000001',
    user: USER_ID,
    service: 'nodes',
    input: { method: 'DELETE', route: '/users/me/nodes/{id}' },
    output: { startTime: YESTERDAY, endTime: YESTERDAY, httpStatusCode: 200, bytesOut: 2048 },
    serviceData: {},
    createdAt: YESTERDAY,
    by,
  })

  it.each([
    [{ displayName: 'Ada', email: 'ada@example.org' }, 'ada@example.org'],
    [{ displayName: 'Ada', email: 'ada@example.org', former: true, clientKey: 'ci' }, 'ada@example.org (key ci, left)'],
    [{ displayName: 'deployer', serviceAccount: true, clientKey: 'ci' }, 'deployer (key ci)'],
    [{ former: true }, 'deleted account'],
    [undefined, '-'],
  ])('says of %j who it was', async (by, who) => {
    platform.on(`GET /accounts/organizations/${ORGANIZATION_ID}/events`, { body: [event(by)] })
    const { stdout, requests } = await platform.run(`orgs events ${ORGANIZATION_ID} --changes --since 1d --limit 5`)
    const query = `from=${encodeURIComponent(YESTERDAY)}&limit=5&changes=true`
    expect(requests).toEqual([`GET /accounts/organizations/${ORGANIZATION_ID}/events?${query}`])
    expect(stdout.split('\n')[1]).toBe(`2026-11-21 12:00:00  ${who.padEnd(3)}  nodes    DELETE /users/me/nodes/{id}  200`)
  })
})

describe('trestle signup', () => {
  const line = 'signup --email ada@example.org --name Ada --country GB --password-stdin'
  const body = {
    email: 'ada@example.org',
    displayName: 'Ada',
    password: 'p4ssword',
    entityType: 'individual',
    billingAddress: { country: 'GB', zipCode: '', address: '', state: '' },
  }

  it('sends what was given, and says what comes next', async () => {
    platform.on('POST /accounts/users', { status: 201, body: { email: 'ada@example.org', status: 'verificationSent' } })
    expect(await platform.run(line, { token: '', stdin: 'p4ssword' })).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'A mail is on its way to ada@example.org. Open the link in it, then run: trestle login\n',
      requests: [`POST /accounts/users ${JSON.stringify(body)}`],
    })
  })

  it('computes the proof of work that the platform asks for', async () => {
    const proofOfWork = { challenge: 'a.b', difficulty: 12, algorithm: 'SHA-256', expiresAt: TOMORROW }
    const required = {
      ...problem(403, 'ProofOfWorkRequired', 'Compute.'),
      body: { code: 'ProofOfWorkRequired', detail: 'Compute.', proofOfWork },
    }
    platform.on('POST /accounts/users', required, { status: 201, body: { email: 'ada@example.org', status: 'verificationSent' } })
    const { exit, requests } = await platform.run(line, { token: '', stdin: 'p4ssword' })
    expect([exit, requests.length]).toEqual([0, 2])
    expect(requests[1]).toMatch(/"proofOfWork":"a\.b\.\d+"}$/)
  })

  it('asks nothing without a terminal, and says which option is missing', async () => {
    const result = await platform.run('signup --email ada@example.org --password-stdin', { token: '', stdin: 'p4ssword' })
    expect(result).toMatchObject({ exit: 2, requests: [], stderr: expect.stringContaining('No terminal to ask: pass --name.') })
  })
})
