import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { client, closeAll, rawUpstream, startTestIngress, upstream } from './ingress-under-test.js'

afterEach(closeAll)

const BODY_BYTES = 2 * 1024 * 1024
const CHUNK = Buffer.alloc(32 * 1024, ' ')

describe.each([413, 429, 431])('an answer of %i that a service gives before it has read the body', (status) => {
  const refuse = (response: ServerResponse, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end('{"code":"TooMuch"}')

  it.each(['keep-alive', 'close'])('reaches a client that sends slowly, on a connection that it wants to %s', async (connection) => {
    const accounts = await upstream((_, response) => refuse(response, { connection: 'close' }))
    const { port } = await startTestIngress({ accounts: accounts.url })
    expect(await answerToSlowBody(port, connection)).toMatch(expected(status))
  })

  it.each(['keep-alive', 'close'])('reaches a client that sends all at once, on a connection that it wants to %s', async (connection) => {
    const accounts = await upstream((_, response) => refuse(response, { connection: 'close' }))
    const { port } = await startTestIngress({ accounts: accounts.url })
    for (let time = 0; time < 10; time++) {
      const { socket, heard, hears } = client(port)
      socket.write(head(connection))
      socket.write(Buffer.alloc(BODY_BYTES, ' '))
      await hears('TooMuch')
      expect(heard()).toMatch(expected(status))
    }
  })

  it('reaches the client where the service resets the connection right behind it', async () => {
    const text = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/problem+json\r\nContent-Length: 18\r\nConnection: close\r\n\r\n{"code":"TooMuch"}`
    const accounts = await rawUpstream((socket) => {
      socket.once('data', () => {
        socket.pause()
        socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 5))
      })
    })
    const { port } = await startTestIngress({ accounts })
    expect(await answerToSlowBody(port, 'keep-alive')).toMatch(expected(status))
  })
})

it('leaves the connection usable once the client has sent the rest', async () => {
  const accounts = await upstream((request, response) => {
    if (request.method === 'GET') response.end('next')
    else response.writeHead(413, { connection: 'close' }).end('{"code":"TooMuch"}')
  })
  const { port } = await startTestIngress({ accounts: accounts.url })
  const { socket, hears } = client(port)
  socket.write(head('keep-alive'))
  socket.write(CHUNK)
  await hears('TooMuch')
  socket.write(Buffer.alloc(BODY_BYTES - CHUNK.length, ' '))
  socket.write('GET /accounts HTTP/1.1\r\nHost: d\r\n\r\n')
  await hears('next')
})

function head(connection: string): string {
  return `POST /accounts/users HTTP/1.1\r\nHost: d\r\nContent-Type: application/json\r\nContent-Length: ${BODY_BYTES}\r\nConnection: ${connection}\r\n\r\n`
}

function expected(status: number): RegExp {
  return new RegExp(`^HTTP/1\\.1 ${status} [^]*application/problem\\+json[^]*{"code":"TooMuch"}`)
}

/** What a client hears that sends its body in parts, and goes on sending until it has heard the whole answer. */
async function answerToSlowBody(port: number, connection: string): Promise<string> {
  const { socket, heard } = client(port)
  await once(socket, 'connect')
  socket.write(head(connection))
  for (let sent = 0; sent < BODY_BYTES && !heard().includes('TooMuch'); sent += CHUNK.length) {
    socket.write(CHUNK)
    await sleep(10)
  }
  return heard()
}
