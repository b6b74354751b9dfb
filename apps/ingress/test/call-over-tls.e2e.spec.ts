import { once } from 'node:events'
import { createServer } from 'node:https'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { RunningService } from '@trestle/runtime/boot-service'
import { createLogger } from '@trestle/runtime/logger'
import { PemFolder, TestAuthority } from '@trestle/runtime/test/certificates'
import { bearer } from '@trestle/runtime/test/client'
import { bootTestService } from '@trestle/runtime/test/test-service'
import type { TlsFiles } from '@trestle/runtime/tls/tls-files.engine'
import { upstreamTlsFiles } from '@trestle/runtime/tls/upstream-tls'
import { closeAll, listening, rawUpstream, startTestIngress } from './ingress-under-test.js'

const authority = new TestAuthority()
const clients = new TestAuthority('Clients')
const silent = createLogger('test', 'silent')
const yesterday = new Date(Date.now() - 86_000_000)

const services: RunningService[] = []
const opened: TlsFiles[] = []
afterEach(async () => {
  await closeAll()
  for (const files of opened.splice(0)) files.stop()
  await Promise.all(services.splice(0).map((service) => service.stop()))
})

interface Setting {
  readonly certificate?: Parameters<TestAuthority['issue']>[0]
  /** Who signs what the service serves, and whom the ingress believes. */
  readonly signer?: TestAuthority
  readonly believed?: TestAuthority
  /** Whom the service admits. */
  readonly admitted?: TestAuthority
  readonly identity?: { readonly cert: string; readonly key: string }
  readonly host?: string
}

/** A real service with a certificate, behind an ingress; and what the ingress logs. */
async function start({ certificate, signer = authority, believed = authority, admitted, identity, host = 'localhost' }: Setting = {}) {
  const folder = new PemFolder()
  const service = await bootTestService({
    ...folder.serverEnv(signer.issue({ names: ['localhost'], ...certificate }), admitted),
    BASE_PATH: '/accounts',
  })
  services.push(service)
  const files = filesOf(folder, believed, identity)
  const log = new PassThrough()
  const { port } = new URL(service.url)
  const ingress = await startTestIngress(
    { accounts: new URL(`https://${host}:${port}`) },
    { upstreamTls: files, logger: createLogger('ingress', 'info', log) },
  )
  const get = (headers = {}) => fetch(`${ingress.url}/accounts/items`, { headers: { ...bearer, ...headers } })
  const logged = async () => text(log.end())
  return { folder, service, ingress, get, logged, log }
}

function filesOf(folder: PemFolder, believed: TestAuthority, identity: Setting['identity']): TlsFiles | undefined {
  const env = {
    UPSTREAM_CA_FILE: folder.write('ca.crt', believed.cert),
    ...(identity && {
      UPSTREAM_CERT_FILE: folder.write('client.crt', identity.cert),
      UPSTREAM_KEY_FILE: folder.write('client.key', identity.key),
    }),
  }
  const files = upstreamTlsFiles(env, silent)
  if (files) opened.push(files)
  return files
}

describe('a service that serves HTTPS', () => {
  it('is called over TLS, on kept connections', async () => {
    const { get, service } = await start()
    for (let call = 0; call < 3; call++) expect((await get()).status).toBe(200)
    const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text()
    expect(metrics).toContain('tls_certificate_expiry_timestamp_seconds')
  })

  it('is verified by the name in its address, whatever Host the client sent', async () => {
    const { ingress } = await start()
    const socket = connect(ingress.port, '127.0.0.1')
    socket.write('GET /accounts/items HTTP/1.1\r\nHost: trestle.example\r\nAuthorization: Bearer good\r\nConnection: close\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/)
  })

  it('may have an address for a name', async () => {
    const { get } = await start({ certificate: { names: ['127.0.0.1'] }, host: '127.0.0.1' })
    expect((await get()).status).toBe(200)
  })

  it.each<[string, Setting, string]>([
    ['another authority has signed', { believed: new TestAuthority('Other') }, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['is for another name', { certificate: { names: ['staking'] } }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['is for another name, which the client asks for as Host', { certificate: { names: ['127.0.0.1'] } }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['is for another address', { host: '127.0.0.1' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['has expired', { certificate: { validTo: yesterday } }, 'CERT_HAS_EXPIRED'],
    ['is not valid yet', { certificate: { validFrom: new Date(Date.now() + 3_600_000) } }, 'CERT_NOT_YET_VALID'],
    ['is a client’s', { certificate: { purpose: 'client' } }, 'INVALID_PURPOSE'],
  ])('is not called when its certificate %s; the log says why', async (_, setting, code) => {
    const { get, logged } = await start(setting)
    const response = await get()
    expect([response.status, await response.json()]).toEqual([503, expect.objectContaining({ code: 'ServiceUnavailable' })])
    expect(await logged()).toContain(code)
  })

  it('is not called over HTTP in its place', async () => {
    const received: string[] = []
    const plain = await rawUpstream((socket) => void socket.on('data', (bytes) => received.push(bytes.toString('latin1'))).end())
    const { url } = await startTestIngress({ accounts: new URL(`https://localhost:${plain.port}`) })
    expect((await fetch(`${url}/accounts`, { headers: bearer })).status).toBe(503)
    expect(received.join('')).not.toContain('good')
  })

  it('is called again as soon as a renewed certificate is right', async () => {
    const { get, folder } = await start({ certificate: { validTo: yesterday } })
    expect((await get()).status).toBe(503)
    folder.serverEnv(authority.issue({ names: ['localhost'] }))
    while ((await get()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 100))
  })

  it('is verified by a renewed authority without a restart', async () => {
    const next = new TestAuthority('Next')
    const { get, folder } = await start({ signer: next })
    expect((await get()).status).toBe(503)
    folder.write('ca.crt', authority.cert + next.cert)
    while ((await get()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 100))
  })
})

describe('a service that admits clients by certificate', () => {
  const identity = clients.issue({ purpose: 'client' })

  it('admits the ingress, and passes on what it answers', async () => {
    const { get } = await start({ admitted: clients, identity })
    const response = await get()
    expect([response.status, await response.json()]).toEqual([200, expect.any(Array)])
  })

  it.each<[string, Setting]>([
    ['none', {}],
    ['that of another authority', { identity: authority.issue({ purpose: 'client' }) }],
    ['an expired one', { identity: clients.issue({ purpose: 'client', validTo: yesterday }) }],
  ])('refuses an ingress with %s', async (_, setting) => {
    const { get } = await start({ admitted: clients, ...setting })
    expect((await get()).status).toBe(502)
  })

  it('admits the ingress again once its certificate is renewed', async () => {
    const { get, folder } = await start({ admitted: clients, identity: clients.issue({ purpose: 'client', validTo: yesterday }) })
    expect((await get()).status).toBe(502)
    folder.write('client.crt', identity.cert)
    folder.write('client.key', identity.key)
    while ((await get()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 100))
  })
})

describe('over TLS as over TCP', () => {
  /** A service that ends the connection in place of its nth answer. */
  const forgetful = async (forgotten: number) => {
    let requests = 0
    const server = createServer(authority.issue({ names: ['localhost'] }), (request, response) => {
      if (++requests === forgotten) request.socket.destroy()
      else response.end('ok')
    })
    const port = await listening(server)
    return { url: new URL(`https://localhost:${port}`), requests: () => requests }
  }
  const ingressTo = (...accounts: URL[]) => startTestIngress({ accounts }, { upstreamTls: filesOf(new PemFolder(), authority, undefined) })

  it('a kept connection that dies as it is used again is replaced for a GET', async () => {
    const service = await forgetful(2)
    const { url } = await ingressTo(service.url)
    await (await fetch(`${url}/accounts`)).text()
    expect([(await fetch(`${url}/accounts`)).status, service.requests()]).toEqual([200, 3])
  })

  it('a replica that ends a new connection is replaced by another for a GET, and for no POST', async () => {
    for (const [method, status] of [
      ['GET', 200],
      ['POST', 502],
    ] as const) {
      const { url } = await ingressTo((await forgetful(1)).url, (await forgetful(0)).url)
      expect((await fetch(`${url}/accounts`, { method })).status).toBe(status)
    }
  })

  it('the answer to a body that is too large arrives', async () => {
    const { ingress } = await start()
    for (let round = 0; round < 10; round++) {
      const headers = { ...bearer, 'content-type': 'application/json' }
      const response = await fetch(`${ingress.url}/accounts/items`, { method: 'POST', headers, body: Buffer.alloc(4_000_000, 0x20) })
      expect([response.status, await response.json()]).toEqual([413, expect.objectContaining({ code: 'BodyTooLarge' })])
    }
  })
})

it('passes WebSockets on over TLS', async () => {
  const { service, ingress } = await start()
  service.app.getHttpServer().on('upgrade', (_: unknown, socket: import('node:net').Socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    socket.pipe(socket)
  })
  const socket = connect(ingress.port, '127.0.0.1')
  socket.write('GET /accounts/items HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  await once(socket, 'data')
  socket.write('echo')
  expect(String((await once(socket, 'data'))[0])).toBe('echo')
  socket.destroy()
})
