import { NODE_REPLY, STATUS_REPLY } from '../../test/node-replies.js'
import { problem, StubPlatform } from '../../test/stub-platform.js'

const ID = NODE_REPLY.id
const SYNCING = {
  type: 'Synced',
  status: 'false',
  reason: 'Syncing',
  message: 'It has 42 % of the chain.',
  since: '2026-11-21T12:00:00.000Z',
}
const CREATED = {
  ...NODE_REPLY,
  image: 'ltc',
  version: '0.21.4',
  nodeUser: 'u',
  nodePass: 'p4ss',
  instance: { ...NODE_REPLY.instance, vendor: 'local', type: '' },
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
    const syncing = { ...STATUS_REPLY, phase: 'syncing', progress: 0.42, height: 3, lag: 4, conditions: [SYNCING] }
    platform
      .on(`POST ${BASE}`, { body: { ...CREATED, phase: 'pending' } })
      .on(`GET ${BASE}/${ID}/status`, { body: syncing }, { body: STATUS_REPLY })
      .on(`GET ${BASE}/${ID}`, { body: NODE_REPLY })
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
      .on(`GET ${BASE}/${ID}/status`, { body: { ...STATUS_REPLY, phase, state, conditions: [SYNCING] } })
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
    platform.on(`GET ${BASE}`, { body: [NODE_REPLY] })
    platform.on(`GET ${BASE}/statuses`, { body: [{ id: ID, ...STATUS_REPLY }] })
    const { stdout, requests } = await platform.run('nodes list --all')
    expect([...requests].sort()).toEqual([`GET ${BASE}/statuses?all=true`, `GET ${BASE}?all=true`])
    expect(stdout.split('\n')[1]).toBe(`${ID}  ltc mainnet  litecoind-0.21.4  ready  7       0    basic  1d ago   in 1d`)
  })

  it('shows a node that has no status yet', async () => {
    platform.on(`GET ${BASE}`, { body: [NODE_REPLY] }).on(`GET ${BASE}/statuses`, { body: [] })
    const { stdout } = await platform.run('nodes list -o json')
    expect(JSON.parse(stdout)).toMatchObject([{ id: ID, height: null, lag: null }])
  })
})

describe('one node', () => {
  it.each([
    ['stop', `POST ${BASE}/${ID}/stop`, NODE_REPLY, 'phase  ready'],
    ['start', `POST ${BASE}/${ID}/start`, NODE_REPLY, 'phase  ready'],
    ['rotate', `POST ${BASE}/${ID}/rotate-credentials`, NODE_REPLY, 'password  p4ss'],
    ['status', `GET ${BASE}/${ID}/status`, STATUS_REPLY, 'disk     5.0 GiB'],
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
    platform.on(`GET ${BASE}/${ID}`, { body: NODE_REPLY })
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
    platform
      .on(`GET ${BASE}/${ID}`, { body: NODE_REPLY })
      .on(`POST /nodes/rpc/${ID}`, { body: { result: { ok: true }, error: null, id: 1 } })
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
