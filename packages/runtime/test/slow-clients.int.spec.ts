import { once } from 'node:events'
import type { Server } from 'node:http'
import { bearer, Client, open, received, statusOf } from './client.js'
import { bootTestService, sink } from './test-service.js'

// Cases X32 and X34 to X37, with limits of a fraction of a second.

const client = new Client()

beforeEach(async () => {
  client.service = await bootTestService()
  const server: Server = client.service.app.getHttpServer()
  Object.assign(server, { headersTimeout: 300, requestTimeout: 600 })
})

afterEach(() => client.service.stop())

it('keeps the limits of a service in use', async () => {
  const other = await bootTestService()
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = other.app.getHttpServer() as Server
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    timeout: 60_000,
  })
  await other.stop()
})

it('X34 answers 408 to a body that stops before its end', async () => {
  const socket = await open(client.service.url)
  const answer = received(socket)
  socket.write('POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{')
  expect(statusOf(await answer)).toBe(408)
})

it('X32 answers 408 to an endless chunk of which nothing comes', async () => {
  const socket = await open(client.service.url)
  const answer = received(socket)
  socket.write(
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n{',
  )
  expect(statusOf(await answer)).toBe(408)
})

it('X35 serves others while 200 clients dribble their headers, and answers these 408', async () => {
  const sockets = await Promise.all(Array.from({ length: 200 }, () => open(client.service.url)))
  const answers = sockets.map(received)
  for (const socket of sockets) socket.write('GET /items HTTP/1.1\r\nHost: a\r\nX')
  expect((await client.get('/items')).status).toBe(200)
  expect(new Set((await Promise.all(answers)).map(statusOf))).toEqual(new Set([408]))
})

it('X36 answers 408 to a body that comes byte by byte', async () => {
  const socket = await open(client.service.url)
  const answer = received(socket)
  socket.write('POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"')
  const dribble = setInterval(() => socket.write('x'), 50)
  expect(statusOf(await answer)).toBe(408)
  clearInterval(dribble)
})

it('X37 reads no more of a report than its reader takes, and closes the connection', async () => {
  sink.forget()
  const server: Server = client.service.app.getHttpServer()
  server.timeout = 300
  const socket = await open(client.service.url)
  socket.on('error', () => {}).pause()
  socket.write(`GET /report?mb=100 HTTP/1.1\r\nHost: a\r\nAuthorization: ${bearer.authorization}\r\n\r\n`)
  const record = await sink.first()
  expect(record?.activity.output.bytesOut).toBeLessThan(20 * 1024 * 1024)
  socket.resume()
  await once(socket, 'close')
})
