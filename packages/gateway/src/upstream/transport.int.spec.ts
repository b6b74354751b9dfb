import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { RawServer } from '../../test/raw-server.js'
import { collectBody, Recorder, receiveAll } from '../../test/recorder.js'
import { openTransport, TRANSPORT_KINDS } from './open-transport.js'
import { RequestHead } from './request-head.js'
import type { TransportOptions, UpstreamTransport } from './transport.js'

const GET = new RequestHead('GET', '/rest/headers?x=1', ['authorization', 'Basic eA=='])
const POST = new RequestHead('POST', '/', ['content-type', 'application/json'])
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const LARGE = 'ab'.repeat(8 * 1024 * 1024)

describe.each(TRANSPORT_KINDS)('the %s transport', (kind) => {
  let answer: (socket: Socket, request: string) => unknown
  let server: RawServer
  let transport: UpstreamTransport

  beforeEach(async () => {
    answer = (socket) => socket.write(OK)
    server = await RawServer.start((socket, request) => answer(socket, request))
    transport = open()
  })

  afterEach(() => {
    transport.destroy()
    server.stop()
  })

  it('sends a GET without a body, and a POST with the length of its own', async () => {
    const requests: string[] = []
    answer = (socket, request) => {
      requests.push(request.toLowerCase())
      socket.write(OK)
    }
    await receiveAll(transport, GET)
    await receiveAll(transport, POST, '{"ü":1}')
    await receiveAll(transport, POST, Buffer.from('{}'))
    expect(requests[0]).toMatch(/^get \/rest\/headers\?x=1 http\/1\.1\r\n/)
    expect(requests[0]).toContain(`host: ${server.url.host}\r\n`)
    expect(requests[0]).toContain('authorization: basic ea==\r\n')
    expect(requests[0]).not.toContain('content-length')
    expect(requests[1]).toContain('content-length: 8\r\n')
    expect(requests[2]).toMatch(/content-length: 2\r\n(.*\r\n)*\r\n\{\}$/)
  })

  it('reuses a connection', async () => {
    for (let i = 0; i < 5; i++) expect((await receiveAll(transport, POST, '{}')).body).toBe('ok')
    expect(server.connections).toBe(1)
  })

  it.each([
    ['of an announced length', (text: string) => `content-length: ${text.length}\r\n\r\n${text}`],
    ['in one chunk', (text: string) => `transfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`],
  ])('collects long bodies %s, several at once, one after another', async (_, written) => {
    const bodies = Array.from({ length: 4 }, (_, each) => `${each}`.repeat(1_500_000 + 65_536 * each))
    answer = (socket, request) => socket.write(`HTTP/1.1 200 OK\r\n${written(bodies[Number(request.at(-1))] ?? '')}`)
    for (let round = 0; round < 3; round++) {
      const collected = await Promise.all(bodies.map((_, each) => collectBody(transport, String(each))))
      expect(collected.map((body, each) => body.toString('latin1') === bodies[each])).toEqual([true, true, true, true])
    }
  })

  it('reads no further while its receiver has paused it, and then the rest', async () => {
    let written = 0
    answer = (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${LARGE.length}\r\n\r\n`)
      socket.write(LARGE)
      written = socket.writableLength
    }
    const receiver = new (class extends Recorder {
      override onBody(bytes: Buffer): void {
        super.onBody(bytes)
        if (this.body.length === bytes.length) this.control?.pause(this)
      }
    })()
    transport.send(GET, undefined, receiver)
    await delay(200)
    expect(written).toBeGreaterThan(0)
    expect(receiver.body.length).toBeLessThan(LARGE.length / 2)
    receiver.control?.resume(receiver)
    expect((await receiver.response.promise).body === LARGE).toBe(true)
    // A connection that was paused serves the next.
    answer = (socket) => socket.write(OK)
    expect((await receiveAll(transport, POST, '{}')).body).toBe('ok')
  })

  it('serves the next request after a response that ended while paused', async () => {
    const receiver = new (class extends Recorder {
      override onBody(bytes: Buffer): void {
        super.onBody(bytes)
        this.control?.pause(this)
      }
    })()
    transport.send(GET, undefined, receiver)
    if (kind === 'undici') setTimeout(() => receiver.control?.resume(receiver), 20)
    expect((await receiver.response.promise).body).toBe('ok')
    receiver.control?.destroy(receiver)
    expect((await receiveAll(transport, POST, '{}')).body).toBe('ok')
  })

  // undici learns of each connection's end by itself.
  if (kind === 'http1')
    it('asks again over a fresh connection once a kept one has broken', async () => {
      transport.destroy()
      transport = open({ maxConnections: 50 })
      const sockets = new Set<Socket>()
      answer = (socket) => {
        sockets.add(socket)
        setTimeout(() => socket.write(OK), 20)
      }
      await Promise.all(Array.from({ length: 40 }, () => receiveAll(transport, POST, '{}')))
      expect(sockets.size).toBeGreaterThan(10)
      const kept = new Set(sockets)
      // As a node that is restarted: whatever is sent over what was kept is lost.
      answer = (socket) => (kept.has(socket) ? socket.resetAndDestroy() : socket.write(OK))
      await expect(receiveAll(transport, POST, '{}')).rejects.toMatchObject({ kind: 'reset' })
      for (let call = 0; call < 5; call++) expect((await receiveAll(transport, POST, '{}')).body).toBe('ok')
    })

  it('closes the connection of a response that is given up', async () => {
    answer = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhi')
    const receiver = new Recorder()
    transport.send(GET, undefined, receiver)
    while (receiver.body === '') await delay(5)
    const failed = expect(receiver.response.promise).rejects.toMatchObject({ kind: 'reset' })
    receiver.control?.destroy(receiver)
    await failed
    while (server.connections > 0) await delay(5)
  })

  it('gives up on an upstream that is silent for too long', async () => {
    transport.destroy()
    transport = open({ silenceMs: 500 })
    answer = () => undefined
    await expect(receiveAll(transport, POST, '{}')).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('does not blame the upstream for the silence of a paused response', async () => {
    transport.destroy()
    transport = open({ silenceMs: 500 })
    answer = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nok', () => setTimeout(() => socket.write('ay'), 1_700))
    const receiver = new (class extends Recorder {
      override onBody(bytes: Buffer): void {
        super.onBody(bytes)
        if (this.body === 'ok') this.control?.pause(this)
      }
    })()
    transport.send(GET, undefined, receiver)
    await delay(1_600)
    receiver.control?.resume(receiver)
    expect((await receiver.response.promise).body).toBe('okay')
  })

  it('reports an upstream that does not listen as unreachable', async () => {
    server.stop()
    await expect(receiveAll(transport, POST, '{}')).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('connects only where the lookup leads', async () => {
    transport.destroy()
    const url = new URL(`http://node.test:${server.url.port}`)
    transport = open({ url, lookup: (_, __, done) => done(Object.assign(new Error('a forbidden address'), { code: 'EACCES' }), '') })
    await expect(receiveAll(transport, POST, '{}')).rejects.toMatchObject({ kind: 'unreachable', message: 'cannot be reached (EACCES)' })
  })

  it('lets a request under way finish when it is closed, and sends no other', async () => {
    let socket: Socket | undefined
    answer = (from) => {
      socket = from
    }
    const pending = receiveAll(transport, POST, '{}')
    while (!socket) await delay(5)
    transport.close()
    await expect(receiveAll(transport, POST, '{}')).rejects.toMatchObject({ kind: 'unreachable' })
    socket.write(OK)
    expect((await pending).body).toBe('ok')
    while (server.connections > 0) await delay(5)
  })

  it('aborts a request when it is destroyed', async () => {
    const heard = Promise.withResolvers<void>()
    answer = () => heard.resolve()
    const pending = expect(receiveAll(transport, POST, '{}')).rejects.toMatchObject({ kind: 'reset' })
    await heard.promise
    transport.destroy()
    await pending
  })

  function open(options: Partial<TransportOptions> = {}): UpstreamTransport {
    return openTransport(kind, { url: server.url, maxConnections: 1, connectTimeoutMs: 5_000, keepAliveMs: 10_000, ...options })
  }
})

describe(RequestHead, () => {
  it.each([
    ['/a b', []],
    ['/a\r\nx: y', []],
    ['a', []],
    ['/', ['a\r\nb', 'c']],
    ['/', ['a', 'b\r\nc: d']],
    ['/', ['a', 'b\0']],
    ['/', ['Content-Length', '5']],
    ['/', ['transfer-encoding', 'chunked']],
    ['/', ['host', 'elsewhere']],
  ])('refuses %j with %j, which could be read as something else', (path, headers) => {
    expect(() => new RequestHead('GET', path, headers)).toThrow(TypeError)
  })
})
