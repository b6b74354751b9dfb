import { jsonResponse, stubFetch } from '../testing/stub-fetch.js'
import { healthOf, servicesOf } from './health.client.js'

const NODES = { name: 'nodes', basePath: '/nodes' } as const
let stub: ReturnType<typeof stubFetch>
afterEach(() => stub.restore())

describe(healthOf, () => {
  it('is up with its version and response time', async () => {
    stub = stubFetch(() => jsonResponse({ version: '1.2.3' }))
    expect(await healthOf(NODES)).toEqual({ name: 'nodes', state: 'up', version: '1.2.3', latencyMs: expect.any(Number) })
    expect(stub.sent[0]?.url).toBe('/api/nodes/')
  })

  it('is up where its front page is refused: it answers', async () => {
    stub = stubFetch(() => jsonResponse({ code: 'Unauthorized', detail: 'No token.' }, 401))
    expect(await healthOf(NODES)).toMatchObject({ state: 'up', version: undefined })
  })

  it('is absent where the platform does without it', async () => {
    stub = stubFetch(() => jsonResponse({ code: 'NotDeployed', detail: 'Not deployed here.' }, 404))
    expect(await healthOf(NODES)).toEqual({ name: 'nodes', state: 'absent', reason: 'Not deployed here.' })
  })

  it.each([502, 503, 504])('is down where %i is answered for it', async (status) => {
    stub = stubFetch(() => jsonResponse({ code: 'Unreachable', detail: 'It does not answer.' }, status))
    expect(await healthOf(NODES)).toEqual({ name: 'nodes', state: 'down', reason: 'It does not answer.' })
  })

  it('is down where nothing comes back', async () => {
    stub = stubFetch(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await healthOf(NODES)).toEqual({ name: 'nodes', state: 'down' })
  })
})

describe(servicesOf, () => {
  it('has the areas, but not the console itself, and each chain where its family is', () => {
    const services = servicesOf([
      { name: 'btc', family: 'bitcoin' },
      { name: 'mychain', family: 'evm' },
    ])
    expect(services.map(({ name, app, basePath }) => `${name} ${app} ${basePath}`)).toEqual([
      'accounts accounts /accounts',
      'staking staking /staking',
      'nodes nodes /nodes',
      'btc btc-connect /btc',
      'mychain eth-rpc /mychain',
    ])
  })
})
