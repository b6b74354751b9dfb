import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { client, closeAll, startTestIngress, type TestUpstream, upstream } from './ingress-under-test.js'

afterEach(closeAll)

const HANDSHAKE =
  'GET /eth/v1/project HTTP/1.1\r\nHost: d\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a2V5\r\nContent-Length: 4\r\n\r\n'

describe('a WebSocket', () => {
  it('is opened, and carries bytes both ways from the first byte', async () => {
    const eth = await echoing()
    const { port } = await startTestIngress({ eth: eth.url })
    const { socket, hears, heard } = client(port)
    socket.write(`${HANDSHAKE}early`)
    await hears('welcome early')
    socket.write(' later')
    await hears('early later')
    expect(heard()).toMatch(
      /^HTTP\/1.1 101 Switching Protocols\r\n[\s\S]*Sec-WebSocket-Accept: yes\r\n[\s\S]*Connection: Upgrade\r\nUpgrade: websocket\r\n/,
    )
    expect(eth.seen).toEqual([])
  })

  it('reaches the service as one request with the client added', async () => {
    const eth = await echoing()
    const { port } = await startTestIngress({ eth: eth.url })
    const { socket, hears } = client(port)
    const upgraded = once(eth.server, 'upgrade')
    socket.write(HANDSHAKE)
    await hears('welcome')
    const [{ url, headers }] = await upgraded
    expect([url, headers]).toEqual([
      '/eth/v1/project',
      expect.objectContaining({ connection: 'Upgrade', upgrade: 'websocket', 'x-forwarded-for': '127.0.0.1', 'sec-websocket-key': 'a2V5' }),
    ])
    expect(headers['content-length']).toBeUndefined()
  })

  it('stays open while idle', async () => {
    const eth = await echoing()
    const { port } = await startTestIngress({ eth: eth.url }, { timeouts: { connectMs: 2000, idleMs: 200 } })
    const { socket, hears } = client(port)
    socket.write(HANDSHAKE)
    await hears('welcome')
    await new Promise((resolve) => setTimeout(resolve, 600))
    socket.write('still here')
    await hears('still here')
  })

  it('is closed at either end when the other leaves', async () => {
    const eth = await echoing()
    const { port } = await startTestIngress({ eth: eth.url })
    for (const side of ['client', 'service'] as const) {
      const upgraded = once(eth.server, 'upgrade')
      const { socket, hears, end } = client(port)
      socket.write(HANDSHAKE)
      const [, service] = (await upgraded) as [unknown, Duplex]
      await hears('welcome')
      const closed = side === 'client' ? once(service, 'close') : end
      ;(side === 'client' ? socket : service).destroy()
      await closed
    }
  })

  it('that the service refuses gets its answer', async () => {
    const eth = await upstream((_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('x'.repeat(1e6)))
    const { port } = await startTestIngress({ eth: eth.url })
    const { socket, end } = client(port)
    socket.write(HANDSHAKE)
    const answer = await end
    expect(answer).toMatch(/^HTTP\/1.1 401 Unauthorized\r\nwww-authenticate: Bearer\r\n/)
    expect(answer).toContain('Connection: close')
    expect(answer.length).toBeGreaterThan(1e6)
  })

  it('to a service that is down gets a problem', async () => {
    const { port } = await startTestIngress({})
    const { socket, end } = client(port)
    socket.write(HANDSHAKE)
    expect(await end).toMatch(/^HTTP\/1.1 503 [\s\S]*"code":"ServiceNotDeployed"/)
  })
})

/** Says welcome and repeats all it hears. */
async function echoing(): Promise<TestUpstream> {
  const service = await upstream()
  service.server.on('upgrade', (_, socket, head) => {
    socket.on('error', () => undefined)
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: yes\r\n\r\nwelcome ',
    )
    socket.write(head)
    socket.pipe(socket)
  })
  return service
}
