import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { eventually } from '@trestle/testing/eventually'
import { releaseOnceSent, sendAnswer } from './request-context.js'

// More than the kernel holds of a connection that is not read.
const BYTES = 30_000_000

describe(releaseOnceSent, () => {
  let respond: (request: IncomingMessage, response: ServerResponse) => void
  const server = createServer((request, response) => respond(request, response))
  let port: number

  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })

  it('gives the memory back once a reader has all of it, however slow', async () => {
    const body = Buffer.alloc(BYTES, 'a')
    respond = (request, response) => {
      const context = { request, response, headers: [] }
      releaseOnceSent(context, body)
      // To say so twice changes nothing.
      releaseOnceSent(context, body)
      sendAnswer(context, { status: 200, type: 'text/plain', body: [Buffer.from('<'), body, Buffer.from('>')] })
    }
    const socket = connect(port, '127.0.0.1').pause()
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await once(socket, 'readable')
    expect(body.length).toBe(BYTES)
    const received = Buffer.concat(await socket.toArray()).toString()
    expect(received.slice(received.indexOf('<')) === `<${'a'.repeat(BYTES)}>`).toBe(true)
    await eventually(async () => body.length === 0 || undefined, 'the memory is given back')
  })

  it('leaves the memory of an answer that was not sent to its end', async () => {
    const body = Buffer.alloc(BYTES, 'a')
    const closed = Promise.withResolvers<void>()
    respond = (request, response) => {
      const context = { request, response, headers: [] }
      response.once('close', closed.resolve)
      releaseOnceSent(context, body)
      sendAnswer(context, { status: 200, type: 'text/plain', body: [body] })
    }
    const socket = connect(port, '127.0.0.1').pause()
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'readable')
    socket.destroy()
    await closed.promise
    expect(body.length).toBe(BYTES)
  })

  it('leaves a part of something larger alone', async () => {
    const whole = Buffer.alloc(BYTES, 'a')
    respond = (request, response) => {
      const context = { request, response, headers: [] }
      const body = whole.subarray(0, BYTES / 2)
      releaseOnceSent(context, body)
      sendAnswer(context, { status: 200, type: 'text/plain', body: [body] })
    }
    await (await fetch(`http://127.0.0.1:${port}`)).arrayBuffer()
    expect(whole.length).toBe(BYTES)
  })
})
