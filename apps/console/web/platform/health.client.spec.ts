import { jsonResponse, stubFetch } from '../testing/stub-fetch.js'
import { healthOf, SERVICES } from './health.client.js'

const NODES = SERVICES.find(({ name }) => name === 'nodes')!
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

  it('does not ask the console itself', () => {
    expect(SERVICES.map(({ name }) => name)).not.toContain('console')
  })
})
