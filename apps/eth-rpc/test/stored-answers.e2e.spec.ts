import { jest } from '@jest/globals'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { startPostgresProxy } from '@trestle/testing/postgres-proxy'
import { Pool } from 'pg'
import { UNLIMITED } from './faulty-stage.js'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'
import { callRpc, resultOfRpc } from './json-rpc.js'
import { spawnGateway } from './spawned-gateway.js'

// Answers wait for ten seconds before they are stored, and processes are started.
jest.setTimeout(180_000)

/** Of these the first 40 are final, and old enough to be looked for. */
const BLOCKS = 60

let anvils: TestAnvils
let gateway: EthRpcUnderTest
let sql: Pool
let project: string
let account: string
/** What the node answers, and what is stored. */
let right: unknown[]
beforeAll(async () => {
  anvils = await startAnvils()
  account = anvils.accounts[0] ?? ''
  await anvils.send()
  await anvils.mine(BLOCKS)
  const [node] = anvils.nodes
  gateway = await startEthRpcUnderTest(`node=${node?.url}`)
  sql = new Pool({ connectionString: gateway.environment.DATABASE_URL, max: 1 })
  project = new URL(await gateway.project(UNLIMITED)).pathname
  right = await askAll(gateway.service.url)
  await untilStored(gateway.service.internalUrl, right.length)
})
afterAll(async () => {
  await sql.end()
  await gateway.stop()
  await anvils.stop()
})

it('an answer that was changed, cut, or moved is dropped, and a node is asked', async () => {
  const { rows } = await sql.query('SELECT encode(key, $1) AS key FROM stored_answer ORDER BY length(answer) DESC', ['hex'])
  const [changed, cut, moved, other] = rows.map(({ key }) => key)
  const where = "WHERE encode(key, 'hex') = $1"
  await sql.query(`UPDATE stored_answer SET answer = overlay(answer placing 'ff' from 12) ${where}`, [changed])
  await sql.query(`UPDATE stored_answer SET answer = left(answer, -2) ${where}`, [cut])
  const copy = "SELECT answer, mac FROM stored_answer WHERE encode(key, 'hex') = $2"
  await sql.query(`UPDATE stored_answer SET (answer, mac) = (${copy}) ${where}`, [moved, other])
  const replica = await gateway.replica()
  await untilOpen(replica.internalUrl)
  expect(await askAll(replica.url)).toEqual(right)
  const metrics = await metricsOf(replica.internalUrl)
  expect(metrics['answer_store_dropped_total{reason="corrupt"}']).toBe(3)
  expect(metrics['eth_rpc_calls_total{outcome="cached"}']).toBe(right.length - 3)
  await replica.stop()
})

it('calls go on while the store is away, slow, or wiped, and it is used again afterwards', async () => {
  const link = await startPostgresProxy(gateway.environment.DATABASE_URL ?? '')
  const replica = await gateway.replica({ DATABASE_URL: link.url })
  await untilOpen(replica.internalUrl)
  // The project is known from here on.
  expect(await callRpc(replica.url + project, 'eth_chainId')).toMatchObject({ status: 200 })

  await sql.query('BEGIN')
  await sql.query('LOCK TABLE stored_answer IN ACCESS EXCLUSIVE MODE')
  const began = performance.now()
  expect(await resultOfRpc(replica.url + project, 'eth_getBlockByNumber', '0x5', false)).toEqual(right[0])
  expect(performance.now() - began).toBeLessThan(1_000)
  await sql.query('COMMIT')
  expect((await metricsOf(replica.internalUrl))['answer_store_reads_total{outcome="slow"}']).toBe(1)

  await sql.query('TRUNCATE stored_answer')
  link.cut()
  expect(await askAll(replica.url)).toEqual(right)
  expect((await fetch(`${replica.internalUrl}/readyz`)).status).toBe(200)
  link.mend()
  await untilStored(replica.internalUrl, right.length)
  await replica.stop()
  link.close()
})

it('a gateway that was killed and started again answers about final blocks while no node does', async () => {
  const first = await spawnGateway(gateway.environment, 2)
  await untilOpen(first.internalUrl)
  expect(await askAll(first.url)).toEqual(right)
  await first.stop()
  const second = await spawnGateway(gateway.environment, 1)
  await untilOpen(second.internalUrl)
  anvils.freeze(0)
  expect(await askAll(second.url)).toEqual(right)
  const metrics = await metricsOf(second.internalUrl)
  expect(metrics['answer_store_reads_total{outcome="hit"}']).toBe(right.length)
  expect(metrics['eth_rpc_calls_total{outcome="cached"}']).toBe(right.length)
  await second.stop()
  anvils.thaw(0)
})

it('nothing of a chain that was replaced is answered, by a process that was there and by one that was not', async () => {
  await anvils.kill(0)
  // Begins with the same block.
  await anvils.restart(0)
  await anvils.mine(BLOCKS + 5)
  await expectNewChain(BLOCKS + 5)
})

it('nothing of blocks below a final one is answered where the chain was set back', async () => {
  await untilStored(gateway.service.internalUrl, 2 * right.length)
  await anvils.rollback(BLOCKS)
  await anvils.mine(BLOCKS + 5)
  await expectNewChain(BLOCKS + 10)
})

async function expectNewChain(head: number): Promise<void> {
  const { service } = gateway
  const replica = await gateway.replica()
  await eventually(async () => (await headOf(service.url)) === head || undefined, 'the new chain is followed')
  await Promise.all([replica, service].map(({ internalUrl }) => untilOpen(internalUrl)))
  const direct = await askAll(anvils.nodes[0]?.url ?? '', '')
  expect(direct).not.toEqual(right)
  expect(await askAll(replica.url)).toEqual(direct)
  expect(await askAll(service.url)).toEqual(direct)
  right = direct
  await replica.stop()
}

/** About blocks 5 to 9: what names its block, and what does not. */
async function askAll(url: string, path = project): Promise<unknown[]> {
  const numbers = [5, 6, 7, 8, 9].map((number) => `0x${number}`)
  const calls = numbers.flatMap((number) => [
    ['eth_getBlockByNumber', number, false],
    ['eth_getBalance', account, number],
    ['eth_getLogs', { fromBlock: '0x0', toBlock: number }],
  ])
  return Promise.all(calls.map(([method, ...params]) => resultOfRpc(url + path, String(method), ...params)))
}

async function headOf(url: string): Promise<number> {
  return Number(await resultOfRpc(url + project, 'eth_blockNumber'))
}

function untilOpen(internalUrl: string) {
  return eventually(
    async () => (await metricsOf(internalUrl)).answer_store_open === 1 || undefined,
    'what is stored is known to be of this chain',
  )
}

function untilStored(internalUrl: string, count: number) {
  return eventually(async () => ((await metricsOf(internalUrl)).answer_store_written_total ?? 0) >= count || undefined, 'all is stored')
}

async function metricsOf(internalUrl: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}
