import { once } from 'node:events'
import { request } from 'node:https'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { jest } from '@jest/globals'
import { bootService, type RunningService } from '../src/boot-service.js'
import type { ServiceEnv } from '../src/env.js'
import { HttpAdapter } from '../src/http-adapter.js'
import { PemFolder, TestAuthority } from './certificates.js'
import { bearer, openSocket, readToEnd } from './client.js'
import { api, bootTestService, TestModule, testEnv } from './test-service.js'

const authority = new TestAuthority()
const own = authority.issue({ names: ['localhost'] })
const clients = new TestAuthority('Clients')

let folder: PemFolder
let service: RunningService | undefined
beforeEach(() => {
  folder = new PemFolder()
})
afterEach(async () => {
  await service?.stop()
  service = undefined
})

interface Identity {
  readonly cert?: string
  readonly key?: string
}

async function start(env: Partial<ServiceEnv>): Promise<RunningService> {
  service = await bootTestService(env)
  return service
}

/** The status of an answer, on a connection of its own. */
function statusOf({ url }: RunningService, path: string, identity: Identity = {}): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  request(url + path, { ca: authority.cert, servername: 'localhost', agent: false, headers: bearer, ...identity }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode))
  })
    .on('error', reject)
    .end()
  return promise
}

/** An open connection, after its handshake. */
async function secureSocket({ url }: RunningService): Promise<TLSSocket> {
  const socket = connectTls({ port: Number(new URL(url).port), host: '127.0.0.1', ca: authority.cert, servername: 'localhost' })
  await once(socket, 'secureConnect')
  return socket
}

async function servedName(running: RunningService): Promise<string | undefined> {
  const socket = await secureSocket(running)
  const name = socket.getPeerX509Certificate()?.subjectAltName
  socket.destroy()
  return name
}

describe('a service with a certificate', () => {
  it('serves its API over HTTPS, and its internal port over HTTP', async () => {
    const running = await start(folder.serverEnv(own))
    expect(running.url).toMatch(/^https:/)
    expect(await statusOf(running, '/items')).toBe(200)
    const metrics = await fetch(`${running.internalUrl}/metrics`)
    expect(Number(/^tls_certificate_expiry_timestamp_seconds (.+)$/m.exec(await metrics.text())?.[1])).toBeGreaterThan(Date.now() / 1000)
  })

  it('serves its fast paths over HTTPS too', async () => {
    service = await bootService(TestModule, {
      name: 'test',
      version: '0',
      env: testEnv(folder.serverEnv(own)),
      endpoints: api,
      prepare: async (app) =>
        HttpAdapter.of(app).addFastPath((_, url) => (url === '/fast' ? (reply) => reply.writeHead(204).end() : undefined)),
    })
    expect([await statusOf(service, '/fast'), await statusOf(service, '/items')]).toEqual([204, 200])
  })

  it('answers nothing over plain HTTP', async () => {
    const running = await start(folder.serverEnv(own))
    const socket = await openSocket(running.url)
    const answer = readToEnd(socket)
    socket.write('GET /items HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await answer).not.toContain('HTTP/1.1 200')
  })

  it('serves a renewed certificate without a restart, once its key is there too', async () => {
    const running = await start(folder.serverEnv(own))
    const open = await secureSocket(running)
    const renewed = authority.issue({ names: ['localhost', 'renewed'] })
    folder.write('tls.crt', renewed.cert)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(await servedName(running)).toBe('DNS:localhost')
    folder.write('tls.key', renewed.key)
    while ((await servedName(running)) === 'DNS:localhost') await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await servedName(running)).toBe('DNS:localhost, DNS:renewed')
    open.write('GET /items HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(await readToEnd(open)).toMatch(/^HTTP\/1.1 401/)
  })

  it('stops without waiting for idle connections, nor for handshakes', async () => {
    const running = await start(folder.serverEnv(own))
    const [silent, idle] = [await openSocket(running.url), await secureSocket(running)]
    const closed = [readToEnd(silent), readToEnd(idle)]
    await running.stop()
    await Promise.all(closed)
  })
})

describe('a service that asks its clients for a certificate', () => {
  const client = clients.issue({ purpose: 'client' })

  it('admits those of its authority alone', async () => {
    const running = await start(folder.serverEnv(own, clients))
    expect(await statusOf(running, '/items', client)).toBe(200)
    const stranger = authority.issue({ purpose: 'client' })
    const expired = clients.issue({ purpose: 'client', validTo: new Date(Date.now() - 1000) })
    // The certificate of another service must not make it a client.
    const server = clients.issue({ names: ['accounts'] })
    for (const identity of [{}, stranger, expired, server])
      await expect(statusOf(running, '/items', identity)).rejects.toMatchObject({
        code: expect.stringMatching(/^(ECONNRESET|EPIPE|ERR_SSL_.*)$/),
      })
  })

  it('logs why it refuses one, and nothing of a health check that only connects', async () => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    const running = await start({ ...folder.serverEnv(own, clients), LOG_LEVEL: 'warn' })
    const probe = await openSocket(running.url)
    probe.destroy()
    await statusOf(running, '/items', authority.issue({ purpose: 'client' })).catch(() => undefined)
    await running.stop()
    const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)))
    write.mockRestore()
    expect(lines).toEqual([
      expect.objectContaining({ reason: expect.stringMatching(/^(UNABLE|SELF_SIGNED)_/), msg: 'a TLS handshake failed' }),
    ])
  })

  it('still answers on its internal port, where nobody has one', async () => {
    const running = await start(folder.serverEnv(own, clients))
    expect((await fetch(`${running.internalUrl}/readyz`)).status).toBe(200)
  })

  it('refuses them also when they resume a session from before the authority was replaced', async () => {
    const running = await start(folder.serverEnv(own, clients))
    const options = { port: Number(new URL(running.url).port), host: '127.0.0.1', ca: authority.cert, servername: 'localhost', ...client }
    const connect = async (session?: Buffer) => {
      const socket = connectTls({ ...options, session })
      const tickets = once(socket, 'session')
      await once(socket, 'secureConnect')
      const isResumed = socket.isSessionReused()
      const answer = readToEnd(socket)
      socket.write('GET /items HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      return { isResumed, answer: await answer, session: session ?? ((await tickets)[0] as Buffer) }
    }
    const { session } = await connect()
    expect(await connect(session)).toMatchObject({ isResumed: true, answer: expect.stringMatching(/^HTTP/) })
    folder.write('clients.crt', new TestAuthority('Next').cert)
    while ((await connect(session)).answer !== '') await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await connect(session)).toMatchObject({ isResumed: false, answer: '' })
  })

  it('refuses the clients of an authority that was replaced', async () => {
    const running = await start(folder.serverEnv(own, clients))
    const next = new TestAuthority('Next')
    folder.write('clients.crt', next.cert)
    const isRefused = () =>
      statusOf(running, '/items', client).then(
        () => false,
        () => true,
      )
    while (!(await isRefused())) await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await statusOf(running, '/items', next.issue({ purpose: 'client' }))).toBe(200)
  })
})

describe('a service does not start', () => {
  const other = authority.issue({ names: ['localhost'] })

  it.each([
    ['without the key', () => ({ TLS_CERT_FILE: folder.write('a', own.cert) }), 'TLS_CERT_FILE and TLS_KEY_FILE belong together'],
    ['without the certificate', () => ({ TLS_KEY_FILE: folder.write('a', own.key) }), 'TLS_CERT_FILE and TLS_KEY_FILE belong together'],
    ['with another key', () => folder.serverEnv({ ...own, key: other.key }), 'TLS_KEY_FILE has no key that fits TLS_CERT_FILE'],
    ['with a file that is not PEM', () => folder.serverEnv({ ...own, cert: 'x' }), 'TLS_CERT_FILE: the file has no certificate in PEM'],
    ['with a file that is not there', () => ({ ...folder.serverEnv(own), TLS_KEY_FILE: '/none' }), 'TLS_KEY_FILE: the file cannot be read'],
    [
      'with authorities that are not PEM',
      () => ({ ...folder.serverEnv(own), TLS_CLIENT_CA_FILE: folder.write('b', 'x') }),
      'TLS_CLIENT_CA_FILE: the file has no certificate in PEM',
    ],
    [
      'when it is to admit clients by certificate over HTTP',
      () => ({ TLS_CLIENT_CA_FILE: folder.write('a', own.cert) }),
      'TLS_CLIENT_CA_FILE admits nobody',
    ],
  ])('%s', async (_, env, message) => {
    await expect(bootTestService(env())).rejects.toThrow(message)
  })
})
