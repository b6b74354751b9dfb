import { once } from 'node:events'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { PemFolder, TestAuthority } from '@trestle/runtime/test/certificates'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { WebSocket } from 'ws'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'

const CALL = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
const ANSWER = { jsonrpc: '2.0', id: 1, result: '0x7a69' }
const authority = new TestAuthority()
const known = getCACertificates()

let anvils: TestAnvils
let gateway: EthRpcUnderTest
beforeAll(async () => {
  setDefaultCACertificates([...known, authority.cert])
  anvils = await startAnvils({ count: 1 })
  const tls = new PemFolder().serverEnv(authority.issue({ names: ['127.0.0.1'] }))
  gateway = await startEthRpcUnderTest(anvils.nodes.map(({ url }) => url).join(','), tls)
})
afterAll(async () => {
  await gateway.stop()
  await anvils.stop()
  setDefaultCACertificates(known)
})

// A project with a list of addresses is served through Fastify, any other by the fast path.
it.each([{}, { allowedIps: ['127.0.0.0/8'] }])('answers calls over HTTPS: %j', async (settings) => {
  const url = await gateway.project(settings)
  expect(url).toMatch(/^https:/)
  for (let call = 0; call < 3; call++) {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: CALL })
    expect(await response.json()).toEqual(ANSWER)
  }
})

it('answers calls over WebSockets under TLS', async () => {
  const socket = new WebSocket((await gateway.project()).replace('https:', 'wss:'))
  await once(socket, 'open')
  socket.send(CALL)
  expect(JSON.parse(String((await once(socket, 'message'))[0]))).toEqual(ANSWER)
  socket.terminate()
})
