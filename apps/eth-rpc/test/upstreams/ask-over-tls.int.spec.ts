import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { jest } from '@jest/globals'
import { debianProgram } from '@trestle/devnet/debian'
import { foldersOfPath, programIn } from '@trestle/devnet/executable'
import { TRANSPORT_KINDS, type TransportKind } from '@trestle/gateway/upstream/open-transport'
import { UpstreamClient } from '../../src/upstreams/upstream.client.js'
import type { UpstreamTls } from '../../src/upstreams/upstream-config.js'

const RESULT = 'ab'.repeat(500_000)
const BODY = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}'
const known = getCACertificates()

let server: Server
let certificate: string
let own: { cert: string; key: string }
let client: UpstreamClient | undefined
beforeAll(async () => {
  own = await ownCertificate('IP:127.0.0.1')
  certificate = own.cert
  server = createServer(own, (_request, response) => {
    response.write(`{"jsonrpc":"2.0","id":1,"result":"`)
    response.end(`${RESULT}"}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  setDefaultCACertificates(known)
  client?.close()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('calls a node with a trusted certificate, and reuses the connection', async () => {
  setDefaultCACertificates([...known, certificate])
  const connections = jest.fn()
  server.on('secureConnection', connections)
  client = clientOf('127.0.0.1')
  for (let call = 0; call < 3; call++) expect(JSON.parse((await ask(client)).toString()).result).toBe(RESULT)
  expect(connections).toHaveBeenCalledTimes(1)
})

it('refuses an untrusted certificate', async () => {
  client = clientOf('127.0.0.1')
  await expect(ask(client)).rejects.toMatchObject({ kind: 'unreachable', message: expect.stringContaining('SELF_SIGNED') })
})

it('refuses a certificate for another host', async () => {
  setDefaultCACertificates([...known, certificate])
  client = clientOf('localhost')
  await expect(ask(client)).rejects.toMatchObject({ kind: 'unreachable', message: expect.stringContaining('ALTNAME') })
})

describe.each(TRANSPORT_KINDS)('over %s', (kind) => {
  it('trusts the authority that it is given, and no other', async () => {
    client = clientOf('127.0.0.1', { kind, tls: { ca: certificate } })
    expect(JSON.parse((await ask(client)).toString()).result).toBe(RESULT)
    client.close()
    const { cert } = await ownCertificate('IP:127.0.0.1')
    client = clientOf('127.0.0.1', { kind, tls: { ca: cert } })
    await expect(ask(client)).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('shows its certificate to a node that requires one', async () => {
    const strict = createServer({ ...own, ca: certificate, requestCert: true, rejectUnauthorized: true }, (_, response) =>
      response.end('{}'),
    )
    strict.listen(0, '127.0.0.1')
    await once(strict, 'listening')
    try {
      client = clientOf('127.0.0.1', { kind, at: strict, tls: { ...own, ca: certificate } })
      expect((await ask(client)).toString()).toBe('{}')
      client.close()
      client = clientOf('127.0.0.1', { kind, at: strict, tls: { ca: certificate } })
      await expect(ask(client)).rejects.toMatchObject({ name: 'UpstreamFault' })
    } finally {
      strict.closeAllConnections()
      strict.close()
    }
  })

  it('resumes the session of its last connection', async () => {
    const resumed: boolean[] = []
    const closing = createServer(own, (_, response) => response.setHeader('connection', 'close').end('{}'))
    closing.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()))
    closing.listen(0, '127.0.0.1')
    await once(closing, 'listening')
    client = clientOf('127.0.0.1', { kind, at: closing, tls: { ca: certificate } })
    for (let call = 0; call < 4; call++) await ask(client)
    closing.close()
    expect(resumed).toEqual([false, true, true, true])
  })
})

interface ClientSettings {
  readonly kind?: TransportKind
  readonly at?: Server
  readonly tls?: UpstreamTls
}

function clientOf(host: string, { kind = 'http1', at = server, tls }: ClientSettings = {}): UpstreamClient {
  const { port } = at.address() as AddressInfo
  return new UpstreamClient({ name: 'node', url: `https://${host}:${port}/`, archive: false, priority: 0, tls }, kind)
}

function ask(asked: UpstreamClient): Promise<Buffer> {
  return asked.send(BODY, { timeoutMs: 20_000 })
}

/** A certificate that signs itself, and its key; both gone with the test. */
async function ownCertificate(name: string): Promise<{ cert: string; key: string }> {
  const openssl =
    programIn(foldersOfPath(process.env), 'openssl') ??
    (await debianProgram({ package: 'openssl', path: 'usr/bin/openssl', withLibraries: 'and loader' }))
  const folder = mkdtempSync(join(tmpdir(), 'trestle-tls-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=node.test', '-addext', `subjectAltName=${name}`]
  try {
    await promisify(execFile)(openssl, ['req', '-x509', ...kind, ...names, '-keyout', keyFile, '-out', certFile])
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
