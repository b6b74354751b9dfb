import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { jest } from '@jest/globals'
import { Agent, request } from 'undici'
import { Lifecycle } from '../src/lifecycle.js'
import { OpenConnections } from '../src/open-connections.js'
import { bearer, openSocket, readToEnd } from './client.js'
import { bootTestService, closeGate, gate } from './test-service.js'

describe('a service that stops', () => {
  it('loses no request of clients that respect its readiness', async () => {
    // The delay of production: within it even a busy machine has asked whether the service is ready.
    const service = await bootTestService({ STOP_DELAY_MS: 5000 })
    const dispatcher = new Agent({ connections: 8 })
    const statuses: number[] = []
    let sending = true
    const clients = Array.from({ length: 8 }, async () => {
      while (sending) {
        const { statusCode, body } = await request(`${service.url}/items`, { headers: bearer, dispatcher })
        await body.dump()
        statuses.push(statusCode)
      }
    })
    const stopped = service.stop()
    while ((await fetch(`${service.internalUrl}/readyz`)).status === 200);
    sending = false
    await Promise.all(clients)
    await stopped
    expect(statuses.length).toBeGreaterThan(0)
    expect(statuses.every((status) => status === 200)).toBe(true)
    await dispatcher.close()
  })

  it('tells keep-alive clients to close, and serves them until then', async () => {
    const service = await bootTestService({ STOP_DELAY_MS: 1000 })
    const dispatcher = new Agent({ connections: 1 })
    const get = async () => {
      const { headers, body } = await request(`${service.url}/items`, { headers: bearer, dispatcher })
      await body.dump()
      return headers.connection
    }
    expect(await get()).toBe('keep-alive')
    const stopped = service.stop()
    expect(await get()).toBe('close')
    await stopped
    await expect(get()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await dispatcher.close()
  })

  it('finishes a current request before it closes anything the request needs', async () => {
    closeGate()
    const service = await bootTestService()
    const order: string[] = []
    const lifecycle = service.app.get(Lifecycle)
    lifecycle.onClose(() => void order.push('close'))
    lifecycle.onFlush(() => void order.push('flush'))
    lifecycle.onDrain(() => void order.push('drain'))
    const answer = fetch(`${service.url}/slow`, { headers: bearer }).then(({ status }) => order.push(String(status)))
    await gate.arrived.promise
    const stopped = service.stop()
    gate.open.resolve()
    await Promise.all([answer, stopped])
    expect(order).toEqual(['200', 'drain', 'flush', 'close'])
  })

  it('does not wait for idle connections', async () => {
    const service = await bootTestService()
    const [silent, idle] = [await openSocket(service.url), await openSocket(service.url)]
    idle.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(idle, 'data')
    const closed = [readToEnd(silent), readToEnd(idle)]
    await service.stop()
    await Promise.all(closed)
  })

  it('stops once, however often stop is called', async () => {
    const service = await bootTestService()
    await Promise.all([service.stop(), service.stop()])
    await service.stop()
  })
})

describe(OpenConnections, () => {
  it('serves what connected before the port closed, also when the process was busy and has not accepted it yet', async () => {
    const server = createServer((incoming, response) => {
      connections.begin(incoming.socket)
      response.once('close', () => connections.end(incoming.socket)).end('served')
    })
    const connections = new OpenConnections(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    const answer = readToEnd(socket)
    // The kernel connects at the end of this turn; the server would accept in the next.
    await new Promise((resolve) => process.nextTick(resolve))
    expect(await connections.close(2000)).toBe(0)
    expect(await answer).toContain('served')
  })

  it('cuts off what is still running at the deadline', async () => {
    const server = createServer((incoming) => connections.begin(incoming.socket))
    const connections = new OpenConnections(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = await openSocket(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(server, 'request')
    const closed = readToEnd(socket)
    expect(await connections.close(200)).toBe(1)
    expect(await closed).toBe('')
  })
})

describe('signals', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s stops the service, and ends the process with 0', async (signal) => {
    const exited = Promise.withResolvers<number>()
    const exit = jest.spyOn(process, 'exit').mockImplementation((code) => exited.resolve(Number(code)) as never)
    const service = await bootTestService()
    process.emit(signal)
    expect(await exited.promise).toBe(0)
    await expect(fetch(service.url)).rejects.toThrow()
    await service.stop()
    exit.mockRestore()
  })

  it('a second signal ends the process at once', async () => {
    closeGate()
    const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never)
    const service = await bootTestService()
    const answer = fetch(`${service.url}/slow`, { headers: bearer })
    await gate.arrived.promise
    process.emit('SIGTERM')
    process.emit('SIGTERM')
    expect(exit.mock.calls).toEqual([[1]])
    gate.open.resolve()
    await answer
    await service.stop()
    exit.mockRestore()
  })

  it('leaves no listener behind', async () => {
    const before = process.listenerCount('SIGTERM')
    const service = await bootTestService()
    await service.stop()
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})
