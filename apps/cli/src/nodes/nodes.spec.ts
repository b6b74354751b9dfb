import { problem, StubPlatform } from '../../test/stub-platform.js'

const ID = 'node-00000000-0000-4000-8000-000000000001'
const SERVICE = 'service-00000000-0000-4000-8000-000000000002'
const TIME = '2026-11-21T12:00:00.000Z'
const READY = { type: 'Healthy', status: 'true', reason: 'Healthy', message: '', since: TIME }
const SYNCING = { type: 'Synced', status: 'false', reason: 'Syncing', message: 'It has 42 % of the chain.', since: TIME }
const NODE = {
  id: ID,
  user: 'user-00000000-0000-4000-8000-000000000003',
  chain: 'ltc',
  network: 'mainnet',
  state: 'started',
  service: SERVICE,
  ip: '127.0.0.1',
  ttl: String(Date.parse('2026-11-23T12:00:00.000Z') / 1000),
  createdAt: TIME,
  updatedAt: TIME,
  startedAt: TIME,
  stoppedAt: null,
  serviceData: { amiPrefix: '', performance: 'standard', software: 'litecoind-0.21.4', ports: [9332] },
  userPlanData: {
    id: 'user-plan-00000000-0000-4000-8000-000000000004',
    plan: 'plan-00000000-0000-4000-8000-000000000005',
    startsAt: TIME,
    expiresAt: TIME,
  },
  vendor: { name: 'local', subnet: '', securityGroups: [], region: 'here', instanceType: '', quickSync: false },
  auth: { type: 'basic', user: 'u', pass: 'p4ss' },
  url: 'http://any/nodes/rpc/1',
  allowedIps: [],
  phase: 'ready',
  conditions: [READY],
  instance: { region: 'here', id: '', imageId: '' },
}
const CREATED = {
  ...NODE,
  image: 'ltc',
  version: '0.21.4',
  nodeUser: 'u',
  nodePass: 'p4ss',
  instance: { ...NODE.instance, vendor: 'local', type: '' },
}
const STATUS = {
  state: 'started',
  phase: 'ready',
  conditions: [READY],
  height: 7,
  lag: 0,
  progress: 1,
  peers: 8,
  diskBytes: 5 * 2 ** 30,
  asOf: TIME,
}
const BASE = '/nodes/users/me/nodes'

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

describe('trestle nodes create', () => {
  it('sends every option and shows the password', async () => {
    platform.on(`POST ${BASE}`, { body: CREATED })
    const { requests, stdout } = await platform.run('nodes create ltc --large --ttl 8h --allow 10.0.0.0/8 --allow ::1')
    const body = { image: 'ltc', large: true, jwt: false, ttl: 28_800, allowedIps: ['10.0.0.0/8', '::1'] }
    expect(requests).toEqual([`POST ${BASE} ${JSON.stringify(body)}`])
    expect(stdout).toContain('password  p4ss')
  })

  it('waits until the node is ready, and reports progress outside the data', async () => {
    const syncing = { ...STATUS, phase: 'syncing', progress: 0.42, height: 3, lag: 4, conditions: [SYNCING] }
    platform
      .on(`POST ${BASE}`, { body: { ...CREATED, phase: 'pending' } })
      .on(`GET ${BASE}/${ID}/status`, { body: syncing }, { body: STATUS })
      .on(`GET ${BASE}/${ID}`, { body: NODE })
    const { exit, stdout, stderr } = await platform.run('nodes create ltc --wait -o json')
    expect([exit, JSON.parse(stdout).phase]).toEqual([0, 'ready'])
    expect(stderr).toBe(`${ID}: syncing  block 3, 4 behind  It has 42 % of the chain.\n${ID}: ready  block 7\n`)
  })

  it.each([
    ['failed', 'started', 1, 'It has 42 % of the chain.'],
    ['stopping', 'stopped', 6, 'stopped by somebody else'],
  ])('gives up on a node that is %s', async (phase, state, exit, text) => {
    platform
      .on(`POST ${BASE}`, { body: CREATED })
      .on(`GET ${BASE}/${ID}/status`, { body: { ...STATUS, phase, state, conditions: [SYNCING] } })
    expect(await platform.run('nodes create ltc --wait')).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(text) })
  })

  it.each([
    ['nodes create', '<image>'],
    ['nodes create ltd', 'Did you mean ltc?'],
    ['nodes create ltc --ttl tomorrow', '--ttl cannot be "tomorrow".'],
  ])('refuses "%s" before any request', async (line, text) => {
    expect(await platform.run(line)).toMatchObject({ exit: 2, requests: [], stderr: expect.stringContaining(text) })
  })

  it('lists the invalid fields of a refused request, with its id', async () => {
    const errors = [{ path: 'allowedIps.0', message: 'must be an address' }]
    platform.on(`POST ${BASE}`, problem(400, 'InvalidInput', 'The request is invalid.', { errors }))
    const { exit, stderr } = await platform.run('nodes create ltc --allow nowhere')
    expect([exit, stderr]).toEqual([
      2,
      'trestle: The request is invalid.\n  allowedIps.0: must be an address\n  InvalidInput, request request-1\n',
    ])
  })
})

describe('trestle nodes list', () => {
  it('joins nodes and their statuses', async () => {
    platform.on(`GET ${BASE}`, { body: [NODE] })
    platform.on(`GET ${BASE}/statuses`, { body: [{ id: ID, ...STATUS }] })
    const { stdout, requests } = await platform.run('nodes list --all')
    expect([...requests].sort()).toEqual([`GET ${BASE}/statuses?all=true`, `GET ${BASE}?all=true`])
    expect(stdout.split('\n')[1]).toBe(`${ID}  ltc mainnet  litecoind-0.21.4  ready  7       0    basic  1d ago   in 1d`)
  })

  it('shows a node that has no status yet', async () => {
    platform.on(`GET ${BASE}`, { body: [NODE] }).on(`GET ${BASE}/statuses`, { body: [] })
    const { stdout } = await platform.run('nodes list -o json')
    expect(JSON.parse(stdout)).toMatchObject([{ id: ID, height: null, lag: null }])
  })
})

describe('one node', () => {
  it.each([
    ['stop', `POST ${BASE}/${ID}/stop`, NODE, 'phase  ready'],
    ['start', `POST ${BASE}/${ID}/start`, NODE, 'phase  ready'],
    ['rotate', `POST ${BASE}/${ID}/rotate-credentials`, NODE, 'password  p4ss'],
    ['status', `GET ${BASE}/${ID}/status`, STATUS, 'disk     5.0 GiB'],
    ['rm --yes', `DELETE ${BASE}/${ID}`, { id: ID, state: 'removed' }, 'state  removed'],
  ])('%s sends %s', async (command, request, body, text) => {
    platform.on(request, { body })
    const [verb, ...options] = command.split(' ')
    expect(await platform.run(`nodes ${verb} ${ID} ${options.join(' ')}`)).toEqual({
      exit: 0,
      stderr: '',
      stdout: expect.stringContaining(text),
      requests: [request],
    })
  })

  it('hides its password unless asked to reveal it', async () => {
    platform.on(`GET ${BASE}/${ID}`, { body: NODE })
    expect((await platform.run(`nodes info ${ID}`)).stdout).not.toContain('p4ss')
    expect((await platform.run(`nodes info ${ID} --reveal`)).stdout).toContain('p4ss')
  })

  it('keeps its data unless removal is confirmed', async () => {
    expect(await platform.run(`nodes rm ${ID}`)).toMatchObject({ exit: 2, requests: [] })
  })

  it('prints its log lines, without control characters', async () => {
    platform.on(`GET ${BASE}/${ID}/logs`, { body: { lines: ['one', 'two \u001b[2J'] } })
    expect(await platform.run(`nodes logs ${ID} -n 2`)).toMatchObject({
      stdout: 'one\ntwo \ufffd[2J\n',
      requests: [`GET ${BASE}/${ID}/logs?lines=2`],
    })
    expect(await platform.run(`nodes logs ${ID} -n 1001`)).toMatchObject({ exit: 2, requests: [] })
  })

  it('answers JSON-RPC, with JSON parameters as JSON and others as text', async () => {
    platform.on(`GET ${BASE}/${ID}`, { body: NODE }).on(`POST /nodes/rpc/${ID}`, { body: { result: { ok: true }, error: null, id: 1 } })
    const { stdout, requests } = await platform.run(`nodes rpc ${ID} getblock 7 abc true`)
    expect(JSON.parse(stdout)).toEqual({ ok: true })
    expect(requests[1]).toContain('"method":"getblock","params":[7,"abc",true]')
  })

  it('passes on the error of the node', async () => {
    platform.on(`POST /nodes/rpc/${ID}`, { body: { result: null, error: { code: -32601, message: 'Method not found' }, id: 1 } })
    expect(await platform.run(`nodes rpc ${ID} nothing`)).toMatchObject({
      exit: 2,
      stderr: 'trestle: Method not found\n  JSON-RPC error -32601\n',
    })
  })
})
