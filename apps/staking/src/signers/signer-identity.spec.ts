import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { TestAuthority } from '@trestle/runtime/test/certificates'
import { Web3signerClient } from './web3signer.client.js'

const PUBKEY = Buffer.alloc(48, 1)
const KEY = { pubkey: PUBKEY, keystore: '{}', password: 'secret', slashingProtection: '{}' }

const authority = new TestAuthority()
const known = getCACertificates()
const servers: Server[] = []
let imports = 0

beforeAll(() => setDefaultCACertificates([...known, authority.cert]))
afterAll(() => {
  setDefaultCACertificates(known)
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

describe('the signer behind an https URL', () => {
  it('is known by the key of its certificate: another one gets no request at all', async () => {
    const port = await serve(authority.issue({ names: ['127.0.0.1'] }))
    const client = new Web3signerClient(`https://127.0.0.1:${port}`, 'The signer of eu')
    expect(await client.list()).toEqual([PUBKEY])
    const identity = await client.identity()
    expect(identity).toMatch(/^tls:[0-9a-f]{64}$/)
    await client.bindTo(identity)
    await client.import(KEY)
    expect(imports).toBe(1)
    // Another server with a certificate of the same authority takes its address.
    await stop()
    await serve(authority.issue({ names: ['127.0.0.1'] }), port)
    for (const call of [() => client.list(), () => client.import(KEY), () => client.remove(PUBKEY)])
      await expect(call()).rejects.toMatchObject({ message: 'The signer of eu is not the one that was accepted.' })
    expect(imports).toBe(1)
    const other = await client.identity()
    expect(other).not.toBe(identity)
    await client.bindTo(other)
    expect(await client.list()).toEqual([PUBKEY])
    await client.close()
  })
})

async function serve(certificate: { cert: string; key: string }, port = 0): Promise<number> {
  const server = createServer(certificate, (request, response) => {
    if (request.method === 'POST') imports++
    const listed = { data: [{ validating_pubkey: `0x${PUBKEY.toString('hex')}` }] }
    response.end(JSON.stringify(request.method === 'POST' ? { data: [{ status: 'imported' }] } : listed))
  }).listen(port, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function stop(): Promise<void> {
  const server = servers.pop()
  server?.closeAllConnections()
  server?.close()
  if (server) await once(server, 'close')
}
