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
import { UpstreamClient } from '../../src/upstreams/upstream.client.js'

const RESULT = 'ab'.repeat(500_000)
const BODY = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}'
const known = getCACertificates()

let server: Server
let certificate: string
let client: UpstreamClient | undefined
beforeAll(async () => {
  const made = await ownCertificate('IP:127.0.0.1')
  certificate = made.cert
  server = createServer(made, (_request, response) => {
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

function clientOf(host: string): UpstreamClient {
  const { port } = server.address() as AddressInfo
  return new UpstreamClient({ name: 'node', url: `https://${host}:${port}/`, archive: false, priority: 0 }, 'http1')
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
