import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errors } from '@nats-io/transport-node'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { testNats } from '@trestle/testing/nats'
import { startTestNats, stopAll, waitUntil } from '../test/service.js'
import type { MessagingOptions } from './messaging-options.js'
import { NatsConnection } from './nats-connection.js'

afterEach(stopAll)

describe(NatsConnection, () => {
  it('subscribes before it runs the listeners of a connection', async () => {
    const { url } = await startTestNats()
    const { connection, close } = connectTo(url)
    const order: string[] = []
    connection.onConnected(() => order.push('connected'))
    connection.onFirstConnected(() => order.push('subscribe'))
    await waitUntil(() => connection.client !== undefined)
    expect(order).toEqual(['subscribe', 'connected'])
    await close()
  })

  it('runs its listeners at every connection', async () => {
    const nats = await startTestNats()
    const { connection, close } = connectTo(nats.url)
    let connections = 0
    connection.onConnected(() => connections++)
    await waitUntil(() => connections === 1)
    await nats.kill()
    await waitUntil(() => connection.client === undefined)
    await nats.start()
    await waitUntil(() => connections === 2)
    await close()
  })

  it('logs once why NATS is away', async () => {
    const { lines, close } = connectTo('nats://127.0.0.1:1')
    await waitUntil(() => lines.length > 0)
    // Two more attempts.
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(lines.map(({ level, err }) => [level, err?.type])).toEqual([[40, errors.ConnectionError.name]])
    await close()
  })

  it('logs once, and counts, what NATS does not permit', async () => {
    const { NATS_URL: natsUrl, NATS_NKEY_SEED: natsSeed } = (await startTestNats()).env('nodes')
    const { connection, lines, metrics, close } = connectAs({ service: 'nodes', natsUrl, natsSeed })
    await waitUntil(() => connection.client !== undefined)
    for (const subject of ['accounts.revocation.recorded', 'accounts.revocation.recorded', 'x']) connection.client?.publish(subject, '')
    connection.client?.subscribe('_INBOX_accounts.>', { callback: () => {} })
    await waitUntil(async () => (await metrics.registry.metrics()).includes('nats_permission_violations_total{operation="publish"} 3'))
    await waitUntil(() => lines.length === 3)
    expect(lines.map(({ operation, subject, identity }) => `${identity}: ${operation} ${subject}`)).toEqual([
      'nodes: publish accounts.revocation.recorded',
      'nodes: publish x',
      'nodes: subscription _INBOX_accounts.>',
    ])
    await close()
  })

  it('receives replies where no other identity may subscribe', async () => {
    const { NATS_URL: natsUrl, NATS_NKEY_SEED: natsSeed } = (await startTestNats()).env('nodes')
    const { connection, lines, close } = connectAs({ service: 'nodes', natsUrl, natsSeed })
    await waitUntil(() => connection.client !== undefined)
    await expect(connection.client?.request('accounts.key.list')).rejects.toThrow('no responders')
    expect(lines).toEqual([])
    await close()
  })

  it('connects over TLS with a certificate of its own, and to no server without TLS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tls-'))
    const file = (name: string) => join(folder, name)
    makeCertificates(folder)
    const tls = `tls { cert_file: "${file('server.pem')}", key_file: "${file('server.key')}", ca_file: "${file('ca.pem')}", verify: true }`
    const server = await testNats(tls)
    // By name: the library checks no address against a certificate.
    const natsUrl = server.url.replace('127.0.0.1', 'localhost')
    const natsTls = { caFile: file('ca.pem'), certFile: file('client.pem'), keyFile: file('client.key') }
    const trusted = connectAs({ service: 'test', natsUrl, natsTls })
    await waitUntil(() => trusted.connection.client !== undefined)
    const strangers = [
      connectAs({ service: 'test', natsUrl }),
      connectAs({ service: 'test', natsUrl, natsTls: { caFile: natsTls.caFile } }),
    ]
    const plain = connectAs({ service: 'test', natsUrl: (await startTestNats()).url.replace('nats:', 'tls:') })
    await waitUntil(() => [...strangers, plain].every(({ lines }) => lines.length > 0))
    expect([...strangers, plain].map(({ connection }) => connection.client)).toEqual([undefined, undefined, undefined])
    expect(plain.lines[0]?.err?.message).toContain("does not support 'tls'")
    for (const { close } of [trusted, ...strangers, plain]) await close()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  it('leaves no timer behind when it is closed while connected', async () => {
    const { url } = await startTestNats()
    const before = timers()
    const { connection, close } = connectTo(url)
    await waitUntil(() => connection.client !== undefined)
    await close()
    await waitUntil(() => timers() <= before)
  })

  it('leaves no timer behind when it is closed between two attempts to connect', async () => {
    const before = timers()
    const { lines, close } = connectTo('nats://127.0.0.1:1')
    await waitUntil(() => lines.length > 0)
    await close()
    await waitUntil(() => timers() <= before)
  })

  it('leaves no timer behind when it is closed after NATS went away', async () => {
    const nats = await startTestNats()
    const before = timers()
    const { connection, close } = connectTo(nats.url)
    await waitUntil(() => connection.client !== undefined)
    await nats.kill()
    await waitUntil(() => connection.client === undefined)
    await close()
    await waitUntil(() => timers() <= before)
  })
})

interface Line {
  level: number
  err?: { type: string; message: string }
  operation?: string
  subject?: string
  identity?: string
}

function connectTo(natsUrl: string) {
  return connectAs({ service: 'test', natsUrl })
}

function connectAs(settings: Omit<MessagingOptions, 'trustRoots'>) {
  const options = { trustRoots: [], ...settings }
  const lines: Line[] = []
  const logger = createLogger('test', 'warn', { write: (text) => void lines.push(JSON.parse(text)) })
  const lifecycle = new Lifecycle(logger)
  const metrics = new Metrics()
  const connection = new NatsConnection(options, logger, metrics, lifecycle)
  connection.onModuleInit()
  return { connection, lines, metrics, close: () => lifecycle.run('close') }
}

/** How many timers keep this process alive; others of it may end in the meantime. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
}

/** An authority, and what it has signed for a server and a client. */
function makeCertificates(cwd: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd, stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=authority', '-days', '2')
  writeFileSync(join(cwd, 'names'), 'subjectAltName=DNS:localhost')
  for (const name of ['server', 'client']) {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-out',
      `${name}.pem`,
      '-days',
      '2',
      '-extfile',
      'names',
    )
  }
}
