import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { client, closeAll, startTestIngress, upstream } from './ingress-under-test.js'

afterEach(closeAll)

// Nothing is cut off, on a machine that is busy neither.
const PATIENT = { stopDeadlineMs: 60_000 }

describe('stopping', () => {
  it('finishes requests in flight, closes their connections, and accepts none', async () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>()
    const accounts = await upstream((_, response) => resolve(response))
    const door = await startTestIngress({ accounts: accounts.url }, PATIENT)
    const { socket, end } = client(door.port)
    socket.write('GET /accounts HTTP/1.1\r\nHost: d\r\n\r\n')
    const service = await promise
    const stopped = door.stop()
    await expect(fetch(`${door.url}/accounts`)).rejects.toThrow('fetch failed')
    service.end('finished')
    expect(await end).toMatch(/Connection: close\r\n[\s\S]*finished/)
    await stopped
  })

  it('finishes an answer that has begun', async () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>()
    const accounts = await upstream((_, response) => {
      response.write('one')
      resolve(response)
    })
    const door = await startTestIngress({ accounts: accounts.url }, PATIENT)
    const [answer] = (await once(request(`${door.url}/accounts`).end(), 'response')) as [IncomingMessage]
    const stopped = door.stop()
    ;(await promise).end(' two')
    let heard = ''
    for await (const piece of answer) heard += piece
    await stopped
    expect(heard).toBe('one two')
  })

  it('does not wait for idle connections or WebSockets', async () => {
    const eth = await upstream()
    eth.server.on('upgrade', (_, socket) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    })
    const door = await startTestIngress({ eth: eth.url }, PATIENT)
    const [silent, kept, talking] = [client(door.port), client(door.port), client(door.port)]
    kept.socket.write('GET / HTTP/1.1\r\nHost: d\r\n\r\n')
    talking.socket.write('GET /eth HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await Promise.all([once(silent.socket, 'connect'), kept.hears('trestle'), talking.hears('101')])
    await door.stop()
    await Promise.all([silent.end, kept.end, talking.end])
  })

  it('cuts what is not finished at the deadline', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const accounts = await upstream(() => resolve())
    const door = await startTestIngress({ accounts: accounts.url }, { stopDeadlineMs: 20 })
    const cut = expect(fetch(`${door.url}/accounts`)).rejects.toThrow('fetch failed')
    await promise
    await door.stop()
    await cut
  })
})

describe('the internal port', () => {
  it('reports liveness, readiness and metrics', async () => {
    const { url, internalUrl } = await startTestIngress({})
    await (await fetch(`${url}/nodes`)).text()
    const [live, ready, metrics] = await Promise.all(['/livez', '/readyz', '/metrics'].map((path) => fetch(`${internalUrl}${path}`)))
    expect([live?.status, ready?.status]).toEqual([200, 200])
    expect(await metrics?.text()).toContain('http_request_duration_seconds_count{method="GET",route="/nodes",status="503"} 1')
  })

  it('is not ready once a stop has begun', async () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>()
    const accounts = await upstream((_, response) => resolve(response))
    const door = await startTestIngress({ accounts: accounts.url }, PATIENT)
    const answer = fetch(`${door.url}/accounts`)
    const service = await promise
    const stopped = door.stop()
    expect((await fetch(`${door.internalUrl}/readyz`)).status).toBe(503)
    service.end()
    await (await answer).text()
    await stopped
  })
})
