import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RunningAnvil } from '@trestle/devnet/ethereum/anvil'
import { freePorts } from '@trestle/devnet/ports'
import { callJson } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { freshDatabase, type TestDatabase } from '@trestle/testing/postgres'
import { ETH_RPC_MIGRATIONS } from './eth-rpc-schema.js'
import { anvil } from './heads/anvils.js'
import { startSurroundings } from './management.js'
import { isReady } from './spawned-gateway.js'

// Three chains, whose blocks are final by three rules, and one whose nodes are away.
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const CHAIN_IDS = { eth: 1, etc: 61, avalanche: 43_114, base: 8453 }
const NAMES = Object.keys(CHAIN_IDS) as (keyof typeof CHAIN_IDS)[]
const BLOCKS = 100

let surroundings: Awaited<ReturnType<typeof startSurroundings>>
let databases: TestDatabase[]
let nodes: Record<'eth' | 'etc' | 'avalanche', RunningAnvil>
let child: ChildProcess
let urls: Record<string, string>
let internalUrls: Record<string, string>
let groupUrl: string

beforeAll(async () => {
  surroundings = await startSurroundings()
  databases = await Promise.all(NAMES.map((schema) => freshDatabase({ schema, migrations: ETH_RPC_MIGRATIONS })))
  const [eth, etc, avalanche] = await Promise.all([anvil(CHAIN_IDS.eth), anvil(CHAIN_IDS.etc), anvil(CHAIN_IDS.avalanche)])
  nodes = { eth, etc, avalanche }
  for (const { rpc } of Object.values(nodes)) await rpc.call('anvil_mine', `0x${BLOCKS.toString(16)}`)
  await start()
}, 120_000)
afterAll(async () => {
  child?.kill('SIGKILL')
  for (const { process } of Object.values(nodes ?? {})) process.kill('SIGKILL')
  await surroundings?.accounts.stop()
  await surroundings?.nats.stop()
  await Promise.all([...(databases ?? []), surroundings?.database].map((database) => database?.drop()))
})

it('serves each chain, with its own finality', async () => {
  const finality: Record<string, number> = {}
  for (const name of ['eth', 'etc', 'avalanche'] as const) {
    const url = await project(name)
    expect(await call(url, 'eth_chainId')).toBe(`0x${CHAIN_IDS[name].toString(16)}`)
    expect(Number(await call(url, 'eth_blockNumber'))).toBe(BLOCKS)
    const block = (await call(url, 'eth_getBlockByNumber', ['finalized', false])) as { number: string }
    finality[name] = Number(block.number)
  }
  // As its node reports, 30 blocks under the head, and every block.
  expect(finality).toEqual({ eth: expect.any(Number), etc: BLOCKS - 30, avalanche: BLOCKS })
  expect([BLOCKS, BLOCKS - 30]).not.toContain(finality.eth)
})

it('keeps projects of one chain from another', async () => {
  const url = await project('eth')
  const elsewhere = url.replace(urls.eth ?? '', urls.etc ?? '')
  expect(await callJson(elsewhere, { method: 'POST', body: request('eth_chainId') })).toMatchObject({ status: 404 })
})

it('is ready while a chain has no node, which alone is not', async () => {
  const report = await callJson(`${groupUrl}/readyz`, {})
  expect(report).toMatchObject({ status: 200, body: { ready: true, checks: { eth: 'ok', etc: 'ok', avalanche: 'ok', base: 'failed' } } })
  expect(report.body.reasons).toEqual({ base: expect.stringContaining('No head is known.') })
  expect(await callJson(`${internalUrls.base}/readyz`, {})).toMatchObject({ status: 503 })
  expect(await callJson(`${internalUrls.eth}/readyz`, {})).toMatchObject({ status: 200 })
  const url = await project('base')
  expect(await callJson(url, { method: 'POST', body: request('eth_blockNumber') })).toMatchObject({
    status: 503,
    body: { error: { code: -32_002 } },
  })
  expect(await (await fetch(`${internalUrls.eth}/metrics`)).text()).toContain('eth_rpc_head_number 100')
})

it('serves the others on when the nodes of one die', async () => {
  const [eth, avalanche] = [await project('eth'), await project('avalanche')]
  nodes.etc.process.kill('SIGKILL')
  await nodes.etc.process.exited
  for (let round = 0; round < 20; round++) {
    await nodes.eth.rpc.call('anvil_mine', '0x1')
    await eventually(async () => Number(await call(eth, 'eth_blockNumber')) > BLOCKS + round || undefined, 'the block has come', 5_000)
    expect(await call(avalanche, 'eth_chainId')).toBe('0xa86a')
  }
  expect(await isReady(groupUrl)).toBe(true)
})

it('stops all in order', async () => {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  await start({ AVALANCHE_WORKERS: '2' })
  // Its processes are those of a deployment of its own.
  const url = await project('avalanche')
  expect(Number(await call(url, 'eth_blockNumber'))).toBe(BLOCKS)
  expect(await isReady(internalUrls.avalanche ?? '')).toBe(true)
  const again = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await again).toEqual([0, null])
}, 60_000)

async function start(more: Record<string, string> = {}): Promise<void> {
  const ports = await freePorts(2 * NAMES.length + 1)
  const own = NAMES.flatMap((name, at) => {
    const { NATS_NKEY_SEED } = surroundings.nats.env(name)
    const settings = {
      PORT: ports[2 * at],
      INTERNAL_PORT: ports[2 * at + 1],
      NATS_NKEY_SEED,
      DATABASE_URL: databases[at]?.url,
      UPSTREAMS: upstreamsOf(name),
    }
    return Object.entries(settings).map(([variable, value]) => [`${name.toUpperCase()}_${variable}`, String(value)])
  })
  const INTERNAL_PORT = String(ports.at(-1))
  const settings = { CHAIN: '', CHAINS: NAMES.join(), INTERNAL_PORT, ETC_FINALITY_DEPTH: '30', POLL_MS: '100', NODE_OPTIONS: '' }
  const env = { ...process.env, ...surroundings.environment, ...Object.fromEntries(own), ...settings, ...more }
  child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  urls = Object.fromEntries(NAMES.map((name, at) => [name, `http://127.0.0.1:${ports[2 * at]}`]))
  internalUrls = Object.fromEntries(NAMES.map((name, at) => [name, `http://127.0.0.1:${ports[2 * at + 1]}`]))
  groupUrl = `http://127.0.0.1:${INTERNAL_PORT}`
  for (const name of ['eth', 'avalanche']) await eventually(() => isReady(internalUrls[name] ?? ''), `${name} is ready`, 60_000)
  await eventually(
    () =>
      fetch(`${internalUrls.base}/livez`).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      ),
    'base listens',
    30_000,
  )
}

function upstreamsOf(name: keyof typeof CHAIN_IDS): string {
  return name === 'base' ? 'away=http://127.0.0.1:1' : `${name}=${nodes[name].url}#archive`
}

async function project(name: string): Promise<string> {
  const token = surroundings.accounts.issuer.account()
  const { body } = await callJson(`${urls[name]}/projects`, { method: 'POST', token, body: { name: `${name}-${Math.random()}` } })
  expect(body.url).toBe(`https://trestle.test/${name}/v1/${body.id}`)
  return `${urls[name]}/v1/${body.id}`
}

async function call(url: string, method: string, params: unknown[] = []): Promise<unknown> {
  const { body } = await callJson(url, { method: 'POST', body: request(method, params) })
  return body.result
}

function request(method: string, params: unknown[] = []) {
  return { jsonrpc: '2.0', id: 1, method, params }
}
