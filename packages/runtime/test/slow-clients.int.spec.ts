import { once } from 'node:events'
import type { Server } from 'node:http'
import { bearer, Client, openSocket, readToEnd, responseStatus } from './client.js'
import { bootTestService, sink } from './test-service.js'

// Cases X32 and X34 to X37, with limits of a fraction of a second.

const client = new Client()

beforeEach(async () => {
  client.service = await bootTestService()
  const server: Server = client.service.app.getHttpServer()
  Object.assign(server, { headersTimeout: 300, requestTimeout: 600 })
})

afterEach(() => client.service.stop())

it('applies the limits of a service', async () => {
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
  const socket = await openSocket(client.service.url)
  const answer = readToEnd(socket)
  socket.write('POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{')
  expect(responseStatus(await answer)).toBe(408)
})

it('X32 answers 408 to a huge chunk that never arrives', async () => {
  const socket = await openSocket(client.service.url)
  const answer = readToEnd(socket)
  socket.write(
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n{',
  )
  expect(responseStatus(await answer)).toBe(408)
})

it('X35 serves others while 200 clients trickle their headers, and answers 408 to these', async () => {
  const sockets = await Promise.all(Array.from({ length: 200 }, () => openSocket(client.service.url)))
  const answers = sockets.map(readToEnd)
  for (const socket of sockets) socket.write('GET /items HTTP/1.1\r\nHost: a\r\nX')
  expect((await client.get('/items')).status).toBe(200)
  expect(new Set((await Promise.all(answers)).map(responseStatus))).toEqual(new Set([408]))
})

it('X36 answers 408 to a body that arrives byte by byte', async () => {
  const socket = await openSocket(client.service.url)
  const answer = readToEnd(socket)
  socket.write('POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"')
  const dribble = setInterval(() => socket.write('x'), 50)
  expect(responseStatus(await answer)).toBe(408)
  clearInterval(dribble)
})

it('X37 reads no more of a report than the client takes, and closes the connection', async () => {
  sink.forget()
  const server: Server = client.service.app.getHttpServer()
  server.timeout = 300
  const socket = await openSocket(client.service.url)
  socket.on('error', () => {}).pause()
  socket.write(`GET /report?mb=100 HTTP/1.1\r\nHost: a\r\nAuthorization: ${bearer.authorization}\r\n\r\n`)
  const record = await sink.first()
  expect(record?.activity.output.bytesOut).toBeLessThan(20 * 1024 * 1024)
  socket.resume()
  await once(socket, 'close')
})
