import type { RunningService } from '@trestle/runtime/boot-service'
import { createLogger } from '@trestle/runtime/logger'
import { PemFolder, TestAuthority } from '@trestle/runtime/test/certificates'
import { bootTestService } from '@trestle/runtime/test/test-service'
import { serverTlsFiles } from '@trestle/runtime/tls/server-tls'
import { upstreamTlsFiles } from '@trestle/runtime/tls/upstream-tls'
import { Agent, request } from 'undici'
import { startConsole } from '../src/console.js'

const authority = new TestAuthority()
const clients = new TestAuthority('Clients')
const logger = createLogger('console', 'silent')
const browser = new Agent({ connect: { ca: authority.cert, servername: 'console' } })
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
afterAll(() => browser.destroy())

/** A console that serves HTTPS, and a service that admits the console alone. */
async function start({ serviceName = 'localhost', signer = clients } = {}) {
  const [service, own] = [new PemFolder(), new PemFolder()]
  const accounts: RunningService = await bootTestService({
    ...service.serverEnv(authority.issue({ names: [serviceName] }), clients),
    BASE_PATH: '/accounts',
  })
  const client = signer.issue({ purpose: 'client' })
  const upstream = {
    UPSTREAM_CA_FILE: own.write('ca.crt', authority.cert),
    UPSTREAM_CERT_FILE: own.write('client.crt', client.cert),
    UPSTREAM_KEY_FILE: own.write('client.key', client.key),
  }
  const [tls, upstreamTls] = [
    serverTlsFiles(own.serverEnv(authority.issue({ names: ['console'] })), logger),
    upstreamTlsFiles(upstream, logger),
  ]
  const upstreams = new Map([['accounts', accounts.url.replace('127.0.0.1', 'localhost')]])
  const running = await startConsole({ host: '127.0.0.1', port: 0, internalPort: 0, upstreams, files: new Map(), logger, tls, upstreamTls })
  stops.push(
    () => accounts.stop(),
    async () => tls?.stop(),
    async () => upstreamTls?.stop(),
    () => running.stop(),
  )
  const get = () => request(`${running.url}/api/accounts/items`, { dispatcher: browser, headers: { 'x-trestle-console': '1' } })
  return { own, running, get }
}

it('is served over HTTPS, and calls services over TLS with its certificate', async () => {
  const { running, get } = await start()
  expect(running.url).toMatch(/^https:/)
  const { statusCode, body } = await get()
  expect([statusCode, await body.json()]).toEqual([401, expect.objectContaining({ code: 'MissingToken' })])
  expect(await (await fetch(`${running.internalUrl}/metrics`)).text()).toContain('tls_certificate_expiry_timestamp_seconds')
})

it.each([
  ['is for another name', { serviceName: 'staking' }],
  ['does not admit its certificate', { signer: authority }],
])('passes nothing on to a service that %s', async (_, setting) => {
  const { get } = await start(setting)
  const { statusCode, body } = await get()
  expect([statusCode, await body.json()]).toEqual([502, expect.objectContaining({ code: 'Unreachable' })])
})

it('uses a renewed certificate without a restart', async () => {
  const { own, get } = await start({ signer: authority })
  const renewed = clients.issue({ purpose: 'client' })
  own.write('client.crt', renewed.cert)
  own.write('client.key', renewed.key)
  for (;;) {
    const { statusCode, body } = await get()
    await body.dump()
    if (statusCode === 401) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
})
