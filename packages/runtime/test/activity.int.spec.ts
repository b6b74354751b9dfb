import { once } from 'node:events'
import { Activity } from '@trestle/contracts/activity'
import { bearer, Client, openSocket } from './client.js'
import { bootTestService, sink, USER } from './test-service.js'

const client = new Client()

beforeAll(async () => {
  client.service = await bootTestService()
})

beforeEach(() => {
  sink.forget()
  sink.failures = 0
})

afterAll(() => client.service.stop())

it('records a read after its response, without the secrets in its parameters', async () => {
  const { text } = await client.get('/items/5/parts/secret-1?token=secret-2&q=x')
  const record = await sink.first()
  expect(record).toMatchObject({
    recording: 'batched',
    activity: {
      user: USER,
      service: 'test',
      input: {
        method: 'GET',
        route: '/items/{id}/parts/{token}',
        params: { id: '5', token: '[redacted]' },
        query: { token: '[redacted]', q: 'x' },
      },
      output: { httpStatusCode: 200, bytesOut: Buffer.byteLength(text) },
      serviceData: { requestId: expect.any(String), part: 1, actor: { session: 'session-1', address: '127.0.0.1' } },
    },
  })
  expect(Activity.parse(record?.activity)).toEqual(record?.activity)
})

it('records a change before its response', async () => {
  const { status, text } = await client.post('/items', { name: 'two', size: 2 })
  expect(status).toBe(201)
  expect(sink.records).toMatchObject([
    { recording: 'durable', activity: { output: { httpStatusCode: 201, bytesOut: Buffer.byteLength(text) } } },
  ])
})

it('records a refused change, too', async () => {
  await client.post('/items', { name: 2 })
  expect(await sink.first()).toMatchObject({
    recording: 'batched',
    activity: { output: { httpStatusCode: 400 }, serviceData: { code: 'InvalidInput' } },
  })
})

it('does not record a request without a caller', async () => {
  await client.send('GET', '/items')
  await client.send('GET', '/nothing', { headers: bearer })
  await client.post('/echo', {})
  await client.post('/items', { name: 'two', size: 2 })
  expect(sink.records).toHaveLength(1)
})

it('counts no bytes for HEAD', async () => {
  await client.send('HEAD', '/items', { headers: bearer })
  expect(await sink.first()).toMatchObject({ activity: { input: { method: 'HEAD' }, output: { bytesOut: 0 } } })
})

it('counts the bytes of a stream', async () => {
  await client.get('/report?mb=3')
  expect(await sink.first()).toMatchObject({ activity: { output: { httpStatusCode: 200, bytesOut: 3 * 1024 * 1024 } } })
})

it('records a read whose client disconnected', async () => {
  const socket = await openSocket(client.service.url)
  socket.write(`GET /report?mb=100 HTTP/1.1\r\nHost: a\r\nAuthorization: ${bearer.authorization}\r\n\r\n`)
  await once(socket, 'data')
  socket.destroy()
  const record = await sink.first()
  expect(record?.activity.output.bytesOut).toBeLessThan(100 * 1024 * 1024)
})

it('does not acknowledge a change whose record cannot be stored, and counts it', async () => {
  sink.failures = 1000
  const { status, text } = await client.post('/items', { name: 'two', size: 2 })
  expect([status, JSON.parse(text).code]).toEqual([503, 'ActivityNotRecorded'])
  const metrics = await fetch(`${client.service.internalUrl}/metrics`).then((answer) => answer.text())
  expect(metrics).toMatch(/activity_lost_total [12]/)
})

it('waits for a sink that recovers', async () => {
  sink.failures = 2
  expect((await client.post('/items', { name: 'two', size: 2 })).status).toBe(201)
  expect(sink.records).toHaveLength(1)
})
