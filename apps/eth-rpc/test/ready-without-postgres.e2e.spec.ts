import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@trestle/database/migrate'
import { provision } from '@trestle/database/provision'
import { startPostgres } from '@trestle/devnet/postgres'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { ETH_RPC_MIGRATIONS } from './eth-rpc-schema.js'
import { callOf, postCall } from './exchange.js'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { TestTime } from './test-time.js'

const CALL = callOf('eth_chainId')
const HOUR_MS = 3_600_000

const dir = mkdtempSync(join(tmpdir(), 'trestle-ready-'))
let postgres: Awaited<ReturnType<typeof startPostgres>>
let anvils: TestAnvils
let gateway: EthRpcUnderTest

beforeAll(async () => {
  ;[postgres, anvils] = await Promise.all([startPostgres({ dir, durable: false }), startAnvils()])
  const url = Object.assign(new URL(postgres.url), { username: 'eth', password: 'secret', pathname: 'trestle' }).href
  await provision({ adminUrl: postgres.url, url, schema: 'eth' })
  await migrate({ url, schema: 'eth', folder: ETH_RPC_MIGRATIONS })
  gateway = await startEthRpcUnderTest(anvils.nodes.map((node) => `${node.url}+${node.webSocketUrl}`).join(), { DATABASE_URL: url })
})
afterAll(async () => {
  await gateway.stop()
  await anvils.stop()
  await postgres.stop()
  rmSync(dir, { recursive: true, force: true })
})

it('is ready while Postgres is stopped and projects are served from memory, for an hour', async () => {
  const url = await gateway.project()
  const call = async () => (await postCall(url, CALL)).status
  expect(await call()).toBe(200)
  const { port } = postgres
  await postgres.stop()
  for (let calls = 0; calls < 20; calls++) expect(await call()).toBe(200)
  expect(await readyz()).toMatchObject({ status: 200, body: { ready: true, checks: { postgres: 'ok', migrations: 'ok' } } })

  const time = new TestTime()
  time.pass(HOUR_MS)
  expect(await readyz()).toMatchObject({
    status: 503,
    body: { ready: false, checks: { postgres: 'failed' }, reasons: { postgres: expect.stringContaining('ECONNREFUSED') } },
  })
  time.end()

  postgres = await startPostgres({ dir, port, durable: false })
  await eventually(async () => (await readyz()).status === 200 || undefined, 'the gateway is ready')
  expect(await call()).toBe(200)
})

async function readyz() {
  const response = await fetch(`${gateway.service.internalUrl}/readyz`)
  return { status: response.status, body: await response.json() }
}
