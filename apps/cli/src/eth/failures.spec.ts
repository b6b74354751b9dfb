import type { FailedCall } from '@trestle/contracts/eth-rpc/failures'
import { StubPlatform } from '../../test/stub-platform.js'
import { errorLine, freshFailures } from './failure-views.js'

const PROJECT = {
  ...{ id: 'a'.repeat(32), name: 'mine', chain: 'eth', allowedOrigins: [], allowedMethods: [], allowedContracts: [], allowedIps: [] },
  ...{ requireToken: true, limits: { perSecond: 1, perDay: 1 } },
  ...{ createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:00:00.000Z', url: 'https://trestle.test/eth/v1/x' },
}
const PATH = `/eth/projects/${PROJECT.id}`
const FAILED: FailedCall = {
  ...{ id: '019ab000-0000-7000-8000-000000000001', time: '2026-11-22T11:59:00.000Z', requestId: 'request-1' },
  ...{ method: 'eth_call', code: 3, kind: 'reverted', ms: 12.5, upstream: 'geth' },
  request: { id: '7', params: [{ data: '0x1234' }, 'latest'] },
  error: { message: 'execution reverted: no', data: '0x08c379a0' },
}
const OLDER: FailedCall = {
  ...{ id: '019ab000-0000-7000-8000-000000000000', time: '2026-11-22T11:58:00.000Z', requestId: 'request-0' },
  ...{ method: 'eth_getLogs', code: -32002, kind: 'unavailable', ms: 15_000.4 },
  ...{
    request: {},
    error: { message: 'no upstream has answered in time' },
    attempts: [{ upstream: 'geth', outcome: 'timeout' }],
    cached: true,
  },
}

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())
beforeEach(() => platform.on('GET /eth/projects', { body: [PROJECT] }))

describe('trestle eth errors', () => {
  const range = { from: '2026-11-21T12:00:00.000Z', to: '2026-11-22T12:00:00.000Z', granularity: 'hour' }

  it('shows how many calls failed, of the only project', async () => {
    const errors = [{ time: '2026-11-22T11:00:00.000Z', method: 'eth_call', code: 3, kind: 'reverted', count: 4 }]
    platform.on(`GET ${PATH}/errors`, { body: { ...range, errors } })
    const { exit, stdout, requests } = await platform.run('eth errors --chain eth')
    expect([exit, requests.at(-1)]).toEqual([0, `GET ${PATH}/errors?from=2026-11-21T12%3A00%3A00.000Z&granularity=hour`])
    expect(stdout).toMatch(/TIME \(UTC\) +METHOD +CODE +KIND +CALLS\n2026-11-22 11:00:00 +eth_call +3 +reverted +4\n/)
  })

  it('says that there were none', async () => {
    platform.on(`GET ${PATH}/errors`, { body: { ...range, granularity: 'day', errors: [] } })
    const { stderr, requests } = await platform.run('eth errors mine --since 30d --by day --chain eth')
    expect(requests.at(-1)).toContain('from=2026-10-23T12%3A00%3A00.000Z&granularity=day')
    expect(stderr).toContain('No call failed in that time.')
  })
})

describe('trestle eth failures', () => {
  it('lists samples, by method and code, as many as were asked for', async () => {
    const next = { link: `<${PATH}/failures?limit=2&cursor=x>; rel="next"` }
    platform.on(`GET ${PATH}/failures`, { body: [FAILED, OLDER], headers: next }, { body: [OLDER] })
    const { stdout, requests } = await platform.run('eth failures mine --method eth_call --code=-32602 --limit 3 --chain eth')
    expect(requests.slice(-2)).toEqual([
      `GET ${PATH}/failures?method=eth_call&code=-32602&limit=3`,
      `GET ${PATH}/failures?limit=2&cursor=x`,
    ])
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^TIME \(UTC\) +METHOD +CODE +KIND +REQUEST +ERROR$/),
      expect.stringMatching(/^2026-11-22 11:59:00 +eth_call +3 +reverted +request-1 +geth: execution reverted: no$/),
      expect.stringMatching(/^2026-11-22 11:58:00 +eth_getLogs +-32002 +unavailable +request-0 +no upstream has answered in time$/),
    ])
  })

  it('shows the calls of a request in full', async () => {
    platform.on(`GET ${PATH}/failures/request-1`, { body: [FAILED, OLDER] })
    const { stdout } = await platform.run('eth failures --request request-1 --chain eth')
    expect(stdout).toMatch(/params +\[\{"data":"0x1234"\},"latest"\]\ntook +12.5 ms\nnode +geth\n/)
    expect(stdout).toMatch(/in vain +geth: timeout\nfrom cache +yes\n/)
  })

  it('refuses a code that is none, before it asks', async () => {
    expect(await platform.run('eth failures mine --code revert --chain eth')).toMatchObject({ exit: 2 })
  })

  it('has nothing to say of a request without samples but why', async () => {
    platform.on(`GET ${PATH}/failures/request-9`, {
      status: 404,
      body: { code: 'UnknownFailure', detail: 'No sample is kept.', status: 404 },
    })
    const { exit, stderr } = await platform.run('eth failures --request request-9 --chain eth')
    expect([exit, stderr]).toEqual([5, expect.stringContaining('No sample is kept.')])
  })
})

describe('trestle eth tail', () => {
  it('prints what fails from now on, until it cannot ask any more', async () => {
    const newer = { ...FAILED, id: '019ab000-0000-7000-8000-000000000002', requestId: 'request-2' }
    const gone = { status: 404, body: { code: 'UnknownProject', detail: 'Gone.', status: 404 } }
    platform.on(`GET ${PATH}/failures`, { body: [OLDER] }, { body: [FAILED, OLDER] }, { body: [newer, FAILED, OLDER] }, gone)
    const { stdout } = await platform.run('eth tail mine --chain eth')
    expect(stdout.split('\n')).toEqual([
      '2026-11-22 11:59:00  request-1  eth_call  3 reverted  geth: execution reverted: no',
      '2026-11-22 11:59:00  request-2  eth_call  3 reverted  geth: execution reverted: no',
      '',
    ])
  }, 30_000)
})

describe(freshFailures, () => {
  it('leaves out what was seen, and begins with the oldest', () => {
    expect(freshFailures([FAILED, OLDER], new Set())).toEqual([OLDER, FAILED])
    expect(freshFailures([FAILED, OLDER], new Set([OLDER.id]))).toEqual([FAILED])
  })
})

describe(errorLine, () => {
  it('is cut to a line', () => {
    expect(errorLine({ error: { message: 'a'.repeat(100) } })).toHaveLength(83)
  })
})
