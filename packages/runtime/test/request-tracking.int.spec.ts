import { jest } from '@jest/globals'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'
import { HttpAdapter } from '../src/http-adapter.js'
import type { Logger } from '../src/logger.js'
import { Metrics } from '../src/metrics.js'
import { sendProblem } from '../src/problem.filter.js'
import { Readiness } from '../src/readiness.js'
import { clientAddressOf, currentRequestId } from '../src/request.js'
import { RequestTracking } from '../src/request-tracking.js'
import { MemorySink, testEnv, USER } from './test-service.js'

// Raw routes, without Nest.

const info = jest.fn()
const logger = { info, error: jest.fn() } as unknown as Logger
const sink = new MemorySink()
const adapter = new HttpAdapter(testEnv(), logger)
const fastify = adapter.getInstance()

beforeAll(async () => {
  const tracking = new RequestTracking({
    service: 'test',
    logger,
    sink,
    securitySink: undefined,
    attemptedName: undefined,
    metrics: new Metrics(),
    readiness: new Readiness(),
    connections: adapter.connections,
  })
  adapter.track(tracking)
  fastify.get('/things/:id', async (request) => ({ requestId: currentRequestId(), address: clientAddressOf(request) }))
  fastify.post('/calls/:project', { config: { recording: 'batched' } }, async (request) => {
    request.caller = {
      kind: 'client',
      userId: USER,
      organizationId: personalOrganizationOf(USER),
      permissions: new Set(),
      areas: [],
      expiresAt: 0,
    }
    return request.body
  })
  fastify.get('/unrecorded', async (request) => {
    request.caller = {
      kind: 'client',
      userId: USER,
      organizationId: personalOrganizationOf(USER),
      permissions: new Set(),
      areas: [],
      expiresAt: 0,
    }
    return {}
  })
  fastify.get('/refused', async (request, reply) => {
    request.traceId = 'a'.repeat(32)
    return sendProblem(reply, new Problem('conflict', 'Taken', 'It is taken.'))
  })
  await fastify.listen({ port: 0, host: '127.0.0.1' })
})

beforeEach(() => sink.forget())

afterAll(() => fastify.close())

it('logs one line a request, with the route and without query, headers and body', async () => {
  const logged = Promise.withResolvers<void>()
  info.mockImplementation(() => logged.resolve())
  await send('/things/5?token=secret-1', { authorization: 'Bearer secret-2', 'user-agent': '\\n{"level":50}', 'x-request-id': 'request-1' })
  await logged.promise
  expect(info.mock.calls).toEqual([
    [
      {
        method: 'GET',
        route: '/things/:id',
        status: 200,
        code: undefined,
        ms: expect.any(Number),
        bytes: 47,
        requestId: 'request-1',
        traceId: undefined,
        user: undefined,
        clientAddress: '127.0.0.1',
        aborted: undefined,
      },
      'request',
    ],
  ])
})

it('logs the trace, the address of the client and the code of the problem', async () => {
  const logged = Promise.withResolvers<void>()
  info.mockReset().mockImplementation(() => logged.resolve())
  await send('/refused?token=secret-1', { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer secret-2' })
  await logged.promise
  expect(info.mock.calls).toMatchObject([
    [{ status: 409, code: 'Taken', clientAddress: '203.0.113.9', traceId: 'a'.repeat(32) }, 'request'],
  ])
  expect(JSON.stringify(info.mock.calls)).not.toContain('secret')
})

it('provides the request id wherever the handler runs', async () => {
  expect(await send('/things/5', { 'x-request-id': 'request-2' })).toMatchObject({ requestId: 'request-2' })
})

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['127.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['203.0.113.9, 198.51.100.7', '198.51.100.7'],
  ['garbage', '127.0.0.1'],
])('X56 finds that the client of X-Forwarded-For "%s" is %s', async (forwarded, address) => {
  expect(await send('/things/5', { 'x-forwarded-for': forwarded })).toMatchObject({ address })
})

it.each([[[]], [['192.0.2.1']]])('takes the peer for the client where %j are the trusted proxies', async (TRUSTED_PROXIES) => {
  const untrusting = new HttpAdapter({ ...testEnv(), TRUSTED_PROXIES }, logger).getInstance()
  untrusting.get('/', async (request) => ({ address: clientAddressOf(request) }))
  await untrusting.listen({ port: 0, host: '127.0.0.1' })
  for (const forwarded of ['203.0.113.9', '203.0.113.10, 192.0.2.1']) {
    const response = await fetch(untrusting.listeningOrigin, { headers: { 'x-forwarded-for': forwarded } })
    expect(await response.json()).toEqual({ address: '127.0.0.1' })
  }
  await untrusting.close()
})

it('records requests to a raw route that is configured so', async () => {
  await fetch(`${fastify.listeningOrigin}/calls/5`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  expect(await sink.first()).toMatchObject({
    recording: 'batched',
    activity: { user: USER, input: { method: 'POST', route: '/calls/:project' }, output: { bytesOut: 2 } },
  })
})

it('does not record requests to other raw routes', async () => {
  await send('/unrecorded', {})
  await fetch(`${fastify.listeningOrigin}/calls/5`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  expect(await sink.first()).toMatchObject({ activity: { input: { route: '/calls/:project' } } })
})

async function send(path: string, headers: Record<string, string>) {
  const answer = await fetch(fastify.listeningOrigin + path, { headers })
  return answer.json()
}
