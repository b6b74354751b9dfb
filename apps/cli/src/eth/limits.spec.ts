import { StubPlatform } from '../../test/stub-platform.js'

const USER = 'user-00000000-0000-4000-8000-000000000002'
const PATH = `/eth/users/${USER}/limits`
const LIMITS = { perSecond: 50_000, perDay: 1_000_000_000 }
const GRANTED = { perSecond: 200_000, perDay: 1_000_000_000, grantedAt: '2026-11-21T12:00:00.000Z' }

const platform = new StubPlatform()
beforeAll(() => platform.start())
afterAll(() => platform.stop())

const PROJECT = {
  ...{ id: 'a'.repeat(32), name: 'mine', chain: 'eth', allowedOrigins: [], allowedMethods: [], allowedContracts: [], allowedIps: [] },
  ...{ requireToken: true, limits: LIMITS, createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:00:00.000Z' },
  url: 'https://trestle.test/eth/v1/x',
}
const path = `/eth/projects/${PROJECT.id}`

describe('trestle eth projects quorum', () => {
  const quorum = { agreeing: 2, nodes: 3, methods: ['eth_*'], byHeader: false }

  it.each([
    ['2/3', { agreeing: 2, nodes: 3, byHeader: false }],
    ['3/5 --method eth_call --method eth_get*', { agreeing: 3, nodes: 5, methods: ['eth_call', 'eth_get*'], byHeader: false }],
    ['2/2 --method eth_call --header also', { agreeing: 2, nodes: 2, methods: ['eth_call'], byHeader: true }],
    ['2/3 --header only', { agreeing: 2, nodes: 3, methods: [], byHeader: true }],
    ['none', null],
  ])('sets %s', async (options, expected) => {
    platform.on('GET /eth/projects', { body: [PROJECT] }).on(`PATCH ${path}`, { body: { ...PROJECT, quorum } })
    const { requests, stdout } = await platform.run(`eth projects quorum mine ${options} --chain eth`)
    expect(JSON.parse(requests.at(-1)?.slice(`PATCH ${path} `.length) ?? '')).toEqual({ quorum: expected })
    expect(stdout).toMatch(/quorum +2\/3\nmethods +eth_\*\nby header +no/)
  })

  it('shows that there is none', async () => {
    platform.on('GET /eth/projects', { body: [PROJECT] }).on(`PATCH ${path}`, { body: PROJECT })
    expect((await platform.run('eth projects quorum mine none --chain eth')).stdout).toMatch(/quorum +none/)
  })

  it.each(['1/1', '1/2', '2/4', '4/3', '7/8', 'two', '2-3', ''])('refuses "%s"', async (written) => {
    expect(await platform.run(`eth projects quorum mine ${written} --chain eth`.replace(/ +/g, ' '))).toMatchObject({
      exit: 2,
      requests: [],
    })
  })
})

describe('trestle eth projects namespaces', () => {
  it('allows methods to a project, or none', async () => {
    platform.on('GET /eth/projects', { body: [PROJECT] }).on(`PATCH ${path}`, { body: { ...PROJECT, namespaces: ['debug'] } })
    const { requests, stdout } = await platform.run('eth projects namespaces mine debug --chain eth')
    expect(requests.at(-1)).toBe(`PATCH ${path} {"namespaces":["debug"]}`)
    expect(stdout).toMatch(/namespaces +debug/)
    expect((await platform.run('eth projects namespaces mine --chain eth')).requests.at(-1)).toBe(`PATCH ${path} {"namespaces":[]}`)
  })

  it('refuses one that there is not', async () => {
    expect(await platform.run('eth projects namespaces mine admin --chain eth')).toMatchObject({ exit: 2 })
  })
})

describe('trestle eth limits', () => {
  it('shows one’s own, and those of a user', async () => {
    platform.on('GET /eth/users/me/limits', { body: LIMITS }).on(`GET ${PATH}`, { body: GRANTED })
    const own = await platform.run('eth limits show --chain eth')
    expect([own.exit, own.requests.at(-1)]).toEqual([0, 'GET /eth/users/me/limits'])
    expect(own.stdout).toMatch(/units\/s +50000\nunits\/day +1000000000\ngranted +no: the platform's/)
    expect((await platform.run(`eth limits show ${USER} --chain eth`)).stdout).toMatch(/units\/s +200000\n(.*\n)*granted +1d ago/)
  })

  it('grants what is given, and leaves the rest', async () => {
    platform.on(`GET ${PATH}`, { body: LIMITS }).on(`PUT ${PATH}`, { body: GRANTED })
    const { exit, requests } = await platform.run(`eth limits grant ${USER} --per-second 200000 --chain eth`)
    expect([exit, requests.slice(-2)]).toEqual([0, [`GET ${PATH}`, `PUT ${PATH} {"perSecond":200000,"perDay":1000000000}`]])
  })

  it('grants namespaces of methods, or none any more', async () => {
    platform.on(`GET ${PATH}`, { body: LIMITS }).on(`PUT ${PATH}`, { body: { ...GRANTED, namespaces: ['debug', 'trace'] } })
    const { stdout, requests } = await platform.run(`eth limits grant ${USER} --namespace debug --namespace trace --chain eth`)
    expect(requests.at(-1)).toBe(`PUT ${PATH} {"perSecond":50000,"perDay":1000000000,"namespaces":["debug","trace"]}`)
    expect(stdout).toMatch(/namespaces +debug, trace/)
    const none = await platform.run(`eth limits grant ${USER} --no-namespaces --chain eth`)
    expect(none.requests.at(-1)).toBe(`PUT ${PATH} {"perSecond":50000,"perDay":1000000000,"namespaces":[]}`)
    expect((await platform.run(`eth limits grant ${USER} --namespace admin --chain eth`)).exit).toBe(2)
  })

  it.each(['', '--per-second 0', '--per-day many', '--per-second 1.5'])('refuses to grant "%s"', async (options) => {
    expect(await platform.run(`eth limits grant ${USER} ${options} --chain eth`.replace(/ +/g, ' '))).toMatchObject({
      exit: 2,
      requests: [],
    })
  })

  it('revokes after a confirmation', async () => {
    platform.on(`DELETE ${PATH}`, { body: LIMITS })
    expect(await platform.run(`eth limits revoke ${USER} --chain eth`)).toMatchObject({ exit: 2, requests: [] })
    const { exit, requests } = await platform.run(`eth limits revoke ${USER} --chain eth --yes`)
    expect([exit, requests.at(-1)]).toEqual([0, `DELETE ${PATH}`])
  })
})
