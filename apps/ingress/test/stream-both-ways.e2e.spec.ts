import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { closeAll, rawUpstream, startTestIngress, upstream } from './ingress-under-test.js'

afterEach(closeAll)

describe('streaming', () => {
  it('passes on the head and each part of an answer before it is complete', async () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>()
    const accounts = await upstream((_, response) => {
      response.flushHeaders()
      resolve(response)
    })
    const { url } = await startTestIngress({ accounts: accounts.url })
    const answer = await get(`${url}/accounts`)
    const service = await promise
    service.write('one')
    expect(String((await once(answer, 'data'))[0])).toBe('one')
    service.end('two')
    expect(String((await once(answer, 'data'))[0])).toBe('two')
  })

  it('passes on each part of a body before it is complete', async () => {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
    const accounts = await upstream((incoming, response) => {
      resolve(incoming)
      incoming.on('end', () => response.end())
    })
    const { url } = await startTestIngress({ accounts: accounts.url })
    const outgoing = request(`${url}/accounts`, { method: 'POST' })
    outgoing.write('one')
    const service = await promise
    expect(String((await once(service, 'data'))[0])).toBe('one')
    outgoing.end()
    await once(outgoing, 'response')
  })

  it('carries 100 MB each way in little memory', async () => {
    const [piece, pieces] = [randomBytes(65_536), 1600]
    const accounts = await upstream((incoming, response) => incoming.pipe(response))
    const { url } = await startTestIngress({ accounts: accounts.url })
    let [sent, received, most] = [0, 0, 0]
    const source = function* () {
      for (let turn = 0; turn < pieces; turn++) {
        sent += piece.length
        yield piece
      }
    }
    const outgoing = request(`${url}/accounts`, { method: 'PUT' })
    Readable.from(source()).pipe(outgoing)
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    for await (const chunk of answer) {
      received += chunk.length
      most = Math.max(most, sent - received)
      // A client that reads slower than the others could go.
      await setImmediate()
    }
    expect(received).toBe(piece.length * pieces)
    // Four sockets' buffers in the kernel, and the streams' own.
    expect(most).toBeLessThan(40e6)
  })

  it('slows the service down to the pace of the client', async () => {
    const { promise: stalled, resolve } = Promise.withResolvers<number>()
    const accounts = await upstream((_, response) => {
      let written = 0
      const pump = () => {
        while (response.write(Buffer.alloc(65_536))) written++
        resolve(written)
      }
      pump()
    })
    const { url } = await startTestIngress({ accounts: accounts.url })
    const answer = await get(`${url}/accounts`)
    answer.pause()
    // A proxy that buffers would never let the service stall.
    expect(await stalled).toBeLessThan(1000)
    answer.destroy()
  })

  it('answers before the whole body has arrived when the service does', async () => {
    const accounts = await upstream((_, response) => response.writeHead(413).end('too much'))
    const { url } = await startTestIngress({ accounts: accounts.url })
    const outgoing = post(`${url}/accounts`)
    outgoing.write(Buffer.alloc(1e6))
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(413)
  })
})

describe('a connection that breaks', () => {
  it('is closed at the service when the client leaves while waiting', async () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>()
    const accounts = await upstream((_, response) => resolve(response))
    const { url } = await startTestIngress({ accounts: accounts.url })
    const outgoing = request(`${url}/accounts`).on('error', () => undefined)
    outgoing.end()
    const service = await promise
    outgoing.destroy()
    await once(service, 'close')
    expect(service.writableFinished).toBe(false)
  })

  it('is closed at the service when the client leaves in the middle of the answer', async () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>()
    const accounts = await upstream((_, response) => {
      response.write('half')
      resolve(response)
    })
    const { url } = await startTestIngress({ accounts: accounts.url })
    const answer = await get(`${url}/accounts`)
    answer.destroy()
    await once(await promise, 'close')
  })

  it('is closed at the service when the client leaves in the middle of its body', async () => {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
    const accounts = await upstream((incoming) => resolve(incoming.resume()))
    const { url } = await startTestIngress({ accounts: accounts.url })
    const outgoing = post(`${url}/accounts`)
    outgoing.write('half')
    const service = await promise
    outgoing.destroy()
    await expect(once(service, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it.each([
    ['chunked', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['counted', 'Content-Length: 8\r\n\r\nhalf'],
  ])('does not look like a clean end to the client of a %s answer', async (_, rest) => {
    const accounts = await rawUpstream((socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))
    })
    const { url } = await startTestIngress({ accounts })
    const answer = await get(`${url}/accounts`)
    const heard = async () => {
      for await (const _ of answer);
    }
    await expect(heard()).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})

async function get(url: string): Promise<IncomingMessage> {
  const outgoing = request(url).end()
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  return answer
}

function post(url: string): ClientRequest {
  return request(url, { method: 'POST' }).on('error', () => undefined)
}
