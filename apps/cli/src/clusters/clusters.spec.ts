import { NODE_REPLY, STATUS_REPLY } from '../../test/node-replies.js'
import { problem, StubPlatform } from '../../test/stub-platform.js'

const ID = 'cluster-00000000-0000-4000-8000-000000000001'
const SERVICE = NODE_REPLY.service
const NODE = NODE_REPLY.id
const CLUSTER = {
  ...NODE_REPLY,
  id: ID,
  alias: 'shop',
  name: 'shop',
  domain: '',
  region: 'here',
  updatingService: SERVICE,
  phase: 'updating',
  capacity: 3,
  healthCount: 2,
  auth: { type: 'none' },
}
const STARTING = { type: 'Synced', status: 'unknown', reason: 'Starting', message: 'It is starting.', since: NODE_REPLY.createdAt }
const UNKNOWN = { height: null, lag: null, progress: null, peers: null, diskBytes: null }
const STATUS = {
  ...STATUS_REPLY,
  ...UNKNOWN,
  phase: 'syncing',
  conditions: [STARTING],
  asOf: null,
  members: [{ ...UNKNOWN, id: NODE, software: 'litecoind-0.21.4', phase: 'pending' }],
}
const BASE = '/nodes/users/me/clusters'

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

describe('trestle clusters', () => {
  it.each([
    ['scale', '4', '{"capacity":4}'],
    ['upgrade', SERVICE, JSON.stringify({ serviceId: SERVICE })],
  ])('%s changes only what it names', async (verb, value, body) => {
    platform.on(`PATCH ${BASE}/${ID}`, { body: CLUSTER })
    const { exit, stdout, requests } = await platform.run(`clusters ${verb} ${ID} ${value}`)
    expect([exit, requests]).toEqual([0, [`PATCH ${BASE}/${ID} ${body}`]])
    expect(stdout).toMatch(/^healthy +2 of 3$/m)
  })

  it('creates two nodes unless it is given a capacity, with an alias and without a lifetime', async () => {
    platform.on(`POST ${BASE}`, { body: { ...CLUSTER, image: 'ltc', version: '', nodeUser: '', nodePass: '' } })
    const { requests, stdout } = await platform.run('clusters create ltc --alias shop')
    const body = { image: 'ltc', large: false, jwt: false, capacity: 2, alias: 'shop', allowedIps: [] }
    expect(requests).toEqual([`POST ${BASE} ${JSON.stringify(body)}`])
    expect(stdout).toMatch(/^auth +nothing$/m)
  })

  it.each(['1', '11', '2.5', '0x3', '1e1', '-2', 'two', ' 3'])('refuses the capacity "%s" before any request', async (capacity) => {
    const created = await platform.run(`clusters create ltc '--capacity=${capacity}'`)
    const scaled = await platform.run(`clusters scale ${ID} -- '${capacity}'`)
    expect([created, scaled]).toMatchObject([
      { exit: 2, requests: [], stderr: expect.stringContaining(`--capacity cannot be "${capacity}": it must be an integer from 2 to 10.`) },
      { exit: 2, requests: [], stderr: expect.stringContaining(`<capacity> cannot be "${capacity}"`) },
    ])
  })

  it('aborts an upgrade, and exits with 6 if there is none', async () => {
    const request = `DELETE ${BASE}/${ID}/updatingService`
    platform.on(request, { body: CLUSTER }, problem(409, 'NothingUpdating', 'No upgrade is under way.'))
    expect(await platform.run(`clusters abort ${ID}`)).toMatchObject({ exit: 0, requests: [request] })
    expect(await platform.run(`clusters abort ${ID}`)).toMatchObject({ exit: 6, stdout: '' })
  })

  it('lists health and the rest of the lifetime', async () => {
    platform.on(`GET ${BASE}`, { body: [CLUSTER, { ...CLUSTER, alias: null, phase: 'stopped', healthCount: 0 }] })
    const { stdout } = await platform.run('clusters list')
    expect(stdout.split('\n').slice(1)).toEqual([
      `${ID}  shop  ltc mainnet  litecoind-0.21.4  updating  2/3      1d ago   in 1d`,
      `${ID}        ltc mainnet  litecoind-0.21.4  stopped   0/3      1d ago   in 1d`,
      '',
    ])
  })

  it('shows the status of each node, and no value that is not known', async () => {
    platform.on(`GET ${BASE}/${ID}/status`, { body: STATUS })
    const { stdout } = await platform.run(`clusters status ${ID}`)
    expect(stdout).toMatch(/^Synced +unknown +It is starting\. +2026-11-21 12:00:00$/m)
    expect(stdout).toMatch(new RegExp(`^${NODE} +litecoind-0.21.4 +pending$`, 'm'))
    expect(stdout).not.toMatch(/null|NaN|undefined|^(height|lag|peers|disk|as of)/m)
  })

  it('waits for all nodes, and says how to follow the rest if that fails', async () => {
    platform
      .on(`POST ${BASE}/${ID}/start`, { body: CLUSTER })
      .on(`GET ${BASE}/${ID}/status`, { body: STATUS }, { body: { ...STATUS, phase: 'failed' } })
    const { exit, stdout, stderr } = await platform.run(`clusters start ${ID} --wait`)
    expect([exit, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `${ID}: syncing  It is starting.\n${ID}: failed  It is starting.\n` +
        `trestle: ${ID}: failed. It is starting.\nThe platform keeps retrying until it is removed.\n`,
    )
  })

  it.each(['info', 'status', 'stop', 'rotate', 'logs', 'rm --yes'])(
    '%s refuses an empty id, such as that of an unset variable',
    async (command) => {
      const [verb, ...options] = command.split(' ')
      expect(await platform.run(`clusters ${verb} '' ${options.join(' ')}`)).toMatchObject({
        exit: 2,
        requests: [],
        stderr: `trestle: <id> is empty.\nSee: trestle clusters ${verb} --help\n`,
      })
    },
  )
})
