import { StubPlatform } from '../../test/stub-platform.js'

const LIMITS = { perSecond: 100, perDay: 1000, perAddress: 20, methods: [{ method: 'eth_getLogs', perSecond: 5 }] }
const PROJECT = {
  ...{ id: 'a'.repeat(32), name: 'mine', chain: 'eth', allowedOrigins: [], allowedMethods: [], allowedContracts: [], allowedIps: [] },
  ...{ requireToken: false, limits: LIMITS, url: 'https://trestle.test/eth/v1/x' },
  ...{ createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:00:00.000Z' },
}
const PATH = `/eth/projects/${PROJECT.id}`

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())
beforeEach(() => platform.on('GET /eth/projects', { body: [PROJECT] }).on(`PATCH ${PATH}`, { body: PROJECT }))

it('shows the limits of a project', async () => {
  const { stdout, requests } = await platform.run('eth projects limits mine --chain eth')
  expect(requests.at(-1)).toBe('GET /eth/projects')
  expect(stdout).toMatch(
    /units\/s +100\nunits\/day +1000\ncalls\/s of an address +20\ntransactions\/min of a sender +none\ncalls\/s of a subject +none\ncalls\/s of methods +eth_getLogs=5/,
  )
})

it.each([
  ['--per-second 7 --per-day 8', { perSecond: 7, perDay: 8 }],
  ['--per-address 20 --per-sender none', { perAddress: 20, perSender: null }],
  [
    '--method eth_getLogs=5 --method debug_*=1',
    {
      methods: [
        { method: 'eth_getLogs', perSecond: 5 },
        { method: 'debug_*', perSecond: 1 },
      ],
    },
  ],
  ['--per-caller 5', { perCaller: 5 }],
  ['--method none', { methods: [] }],
])('sets %s', async (options, expected) => {
  const { requests } = await platform.run(`eth projects limits mine ${options} --chain eth`)
  expect(JSON.parse(requests.at(-1)?.slice(`PATCH ${PATH} `.length) ?? '')).toEqual({ limits: expected })
})

it.each(['--method eth_getLogs', '--method eth_getLogs=x', '--method =5', '--per-address 0', '--per-second many'])(
  'refuses %s',
  async (options) => {
    const { exit, requests } = await platform.run(`eth projects limits mine ${options} --chain eth`)
    expect([exit, requests.at(-1)]).toEqual([2, 'GET /eth/projects'])
  },
)
