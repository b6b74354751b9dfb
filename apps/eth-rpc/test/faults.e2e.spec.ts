import { startAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import type { Fault } from '@trestle/testing/faults'
import type { FaultyUpstream } from '@trestle/testing/faulty-upstream'
import { type FaultyStage, metric, primaryOf, startFaultyStage } from './faulty-stage.js'
import { callRpc, resultOfRpc, type TestRpcResponse } from './json-rpc.js'
import { Monotone } from './monotone.js'

/** The gateway's own questions are answered well: nothing but the answers tells that a node goes wrong. */
const ASKED = [
  ...['eth_getBlockByHash', 'eth_getBlockReceipts', 'eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getLogs'],
  ...['eth_getBlockTransactionCountByNumber', 'eth_getTransactionByBlockHashAndIndex', 'eth_getBalance', 'eth_getTransactionCount'],
  ...['eth_getCode', 'eth_getStorageAt', 'eth_call', 'eth_estimateGas', 'eth_gasPrice', 'eth_feeHistory', 'eth_sendRawTransaction'],
]

const OF_ANSWERS: Fault[] = [
  { kind: 'hanging' },
  { kind: 'slow', ms: 1500 },
  { kind: 'rate-limited', retryAfter: '1' },
  { kind: 'status', status: 502, body: '<html>Bad Gateway</html>' },
  { kind: 'status', status: 500 },
  { kind: 'reset' },
  { kind: 'truncated' },
  { kind: 'endless' },
  { kind: 'null' },
  { kind: 'html' },
  { kind: 'empty' },
  { kind: 'wrong-id' },
  { kind: 'result-and-error' },
  { kind: 'neither' },
  { kind: 'error', code: -32_603, message: 'internal error' },
  { kind: 'error', code: -32_000, message: 'header not found' },
  { kind: 'invalid-utf8' },
  { kind: 'nan' },
]

const OF_NODES: Fault[] = [
  { kind: 'dead' },
  { kind: 'rate-limited', retryAfter: '1' },
  { kind: 'status', status: 503 },
  { kind: 'reset' },
  { kind: 'stale', behind: 5 },
  { kind: 'stale', behind: 1 },
  { kind: 'null' },
  { kind: 'html' },
  { kind: 'nan' },
  { kind: 'endless' },
]

let stage: FaultyStage
let client: Monotone
beforeAll(async () => {
  stage = await startFaultyStage({ CALL_TIMEOUT_MS: '8000' })
  client = new Monotone(stage.url)
})
afterAll(async () => {
  await client.stop()
  await stage.stop()
})
afterEach(() => stage.heal())

describe.each([1, 2])('while %d of three nodes answer badly, callers get good answers', (many) => {
  let turn = 0
  it.each(OF_ANSWERS)('%j', async (fault) => {
    const { calls, expected } = await fresh()
    // Else the only one with good answers may not have the block yet.
    await stage.inStep()
    const ill = Array.from({ length: many }, () => stage.upstreams[turn++ % 3] as FaultyUpstream)
    await Promise.all(ill.map((upstream) => upstream.fail(fault, { methods: ASKED })))
    expect(named(calls, await askAll(calls))).toEqual(named(calls, expected))
    await sendAndMine()
  })
})

it('does not wait for a hanging primary upstream', async () => {
  await stage.upstreams[await primaryOf(stage.gateway.service.internalUrl)]!.fail({ kind: 'hanging' })
  const { calls, expected } = await fresh()
  expect(named(calls, await askAll(calls))).toEqual(named(calls, expected))
})

describe('while one or two of three nodes are unhealthy, callers get the answer of a healthy one', () => {
  let turn = 0
  it.each(OF_NODES.flatMap((fault) => [[fault, 1] as const, [fault, 2] as const]))('%j, %d of three', async (fault, many) => {
    const ill = Array.from({ length: many }, () => stage.upstreams[turn++ % 3] as FaultyUpstream)
    await Promise.all(ill.map((upstream) => upstream.fail(fault)))
    const { calls, expected } = await fresh()
    expect(named(calls, await askAll(calls))).toEqual(named(calls, expected))
    await sendAndMine()
  })
})

it('does not use a node that turns out to be of another chain', async () => {
  const [ill] = stage.upstreams as [FaultyUpstream]
  await ill.fail({ kind: 'wrong-chain', chainId: 5 })
  ill.cutWebSockets()
  const wrong = () => metric(stage.gateway.service.internalUrl, 'head_wrong_chain')
  await eventually(async () => (await wrong()).some(({ value }) => value === 1) || undefined, 'it is asked again what it is')
  const { calls, expected } = await fresh()
  ill.forget()
  expect(named(calls, await askAll(calls))).toEqual(named(calls, expected))
  expect(Object.keys(ill.tally)).not.toContain('eth_call')
  await ill.heal()
  // Or it would be asked within a minute.
  ill.cutWebSockets()
})

it('does not follow a primary upstream that was replaced by a node of another chain', async () => {
  const primary = await primaryOf(stage.gateway.service.internalUrl)
  const strangers = await startAnvils({ chainId: 5 })
  await strangers.nodes[0]!.rpc.call('anvil_mine', '0xc8')
  stage.upstreams[primary]!.become(strangers.nodes[0]!)
  await eventually(async () => (await primaryOf(stage.gateway.service.internalUrl)) !== primary || undefined, 'another one is primary')
  const { calls, expected } = await fresh()
  expect(named(calls, await askAll(calls))).toEqual(named(calls, expected))
  stage.upstreams[primary]!.become(stage.anvils.nodes[primary]!)
  await stage.heal()
  await strangers.stop()
})

it('gives up on an oversized answer', async () => {
  const { block } = await fresh()
  await stage.upstreams[0]!.fail({ kind: 'huge', bytes: 70e6 }, { methods: ['eth_getBlockReceipts'], times: 1 })
  await stage.upstreams[1]!.fail({ kind: 'huge', bytes: 70e6 }, { methods: ['eth_getBlockReceipts'], times: 1 })
  const expected = await callRpc(stage.anvils.nodes[0]!.url, 'eth_getBlockReceipts', block)
  expect(await callRpc(stage.url, 'eth_getBlockReceipts', block)).toEqual(expected)
})

it('calls no node on another branch, and does not mix branches in a batch', async () => {
  const primary = await primaryOf(stage.gateway.service.internalUrl)
  const other = primary === 1 ? 2 : 1
  await stage.mine(3)
  stage.anvils.leave(other)
  await stage.anvils.reorg(2)
  const { calls, expected } = await fresh()
  const body = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const answers = await fetch(stage.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const told = ((await answers.json()) as TestRpcResponse[]).map(({ result, error }) => ({
    status: 200,
    ...(error ? { error } : { result }),
  }))
  expect(named(calls, told)).toEqual(named(calls, expected))
  stage.anvils.rejoin(other)
  await stage.anvils.keep()
})

it('sends concurrent equal calls upstream once, and answers each with its own id', async () => {
  const { block } = await fresh()
  const other = await stage.gateway.project()
  for (const upstream of stage.upstreams) upstream.forget()
  const body = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_getCode', params: [stage.token, block] })
  const post = async (url: string, id: unknown) =>
    (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: body(id) })).json()
  const ids = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? i : `of ${i}`))
  const told = await Promise.all(ids.map((id, i) => post(i % 2 === 0 ? stage.url : other, id)))
  const code = await resultOfRpc(stage.anvils.nodes[0]!.url, 'eth_getCode', stage.token, block)
  expect(told).toEqual(ids.map((id) => ({ jsonrpc: '2.0', id, result: code })))
  expect(stage.upstreams.reduce((sum, upstream) => sum + upstream.asked('eth_getCode'), 0)).toBe(1)
})

it('aborts calls that no caller waits for', async () => {
  for (const upstream of stage.upstreams) await upstream.fail({ kind: 'hanging' }, { methods: ['eth_getBalance'] })
  const inFlight = async () =>
    (await metric(stage.gateway.service.internalUrl, 'upstream_in_flight')).reduce((sum, { value }) => sum + value, 0)
  // What another case has left behind.
  await eventually(async () => (await inFlight()) === 0 || undefined, 'nobody is asked yet')
  const caller = new AbortController()
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address(), 'latest'] })
  const asked = fetch(stage.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal: caller.signal }).catch(
    () => {},
  )
  await eventually(async () => (await inFlight()) > 0 || undefined, 'a node is asked')
  caller.abort()
  await asked
  await eventually(async () => (await inFlight()) === 0 || undefined, 'nobody is asked any more')
})

it('refuses at once while all nodes are down, and recovers by itself', async () => {
  const { calls } = await fresh()
  await Promise.all(stage.upstreams.map((upstream) => upstream.fail({ kind: 'dead' })))
  const balance = () => callRpc(stage.url, 'eth_getBalance', address(), 'latest')
  await eventually(async () => (await balance()).status === 503 || undefined, 'nobody is there')
  // Whoever waited for anything would wait for ever.
  stage.time.stop()
  const told = await askAll(calls)
  stage.time.goOn()
  const refused = told.filter(({ error }) => error)
  expect(refused.length).toBeGreaterThan(10)
  for (const refusal of refused) expect(refusal).toEqual({ status: 503, error: { code: -32_002, message: 'no upstream can answer now' } })
  await Promise.all(stage.upstreams.map((upstream) => upstream.heal()))
  await eventually(async () => (await balance()).status === 200 || undefined, 'somebody is there again')
  await sendAndMine()
})

it('never sends a batch, and sends no calls of its own but those that follow the chain', async () => {
  for (const { tally, requests } of stage.upstreams) {
    const { eth_subscribe = 0, eth_unsubscribe = 0, ...calls } = tally
    expect(Object.values(calls).reduce((sum, count) => sum + count, 0)).toBe(requests)
    expect(eth_unsubscribe).toBeLessThanOrEqual(eth_subscribe)
  }
})

it('never lets the newest block go back for one client', () => {
  expect(client.seen).toBeGreaterThan(100)
  expect(client.wrong).toEqual([])
})

type Asked = readonly [method: string, ...params: unknown[]]

/** What can be asked about a block that was just made, so that nothing of it was asked before; with what a sound node answers. */
async function fresh() {
  await stage.transfer()
  const { number, hash, transactions } = await stage.mine()
  const { token } = stage
  const [transaction] = transactions as [string]
  const someone = address()
  const balanceOf = { to: token, data: `0x70a08231${someone.slice(2).padStart(64, '0')}` }
  const calls: Asked[] = [
    ['eth_blockNumber'],
    ['eth_chainId'],
    ['eth_getBlockByNumber', 'latest', true],
    ['eth_getBlockByNumber', number, false],
    ['eth_getBlockByNumber', '0xffffff', false],
    ['eth_getBlockByHash', hash, true],
    ['eth_getBlockTransactionCountByNumber', number],
    ['eth_getTransactionByBlockHashAndIndex', hash, '0x0'],
    ['eth_getBlockReceipts', number],
    ['eth_getTransactionByHash', transaction],
    ['eth_getTransactionReceipt', transaction],
    ['eth_getTransactionReceipt', hash],
    ['eth_getLogs', { fromBlock: number, toBlock: 'latest' }],
    ['eth_getLogs', { blockHash: hash, address: token }],
    ['eth_getLogs', { fromBlock: '0x0', toBlock: number, address: [token, someone] }],
    ['eth_getBalance', someone, 'latest'],
    ['eth_getBalance', stage.anvils.accounts[0], number],
    ['eth_getBalance', token, { blockHash: hash }],
    ['eth_getTransactionCount', stage.anvils.accounts[0], 'latest'],
    ['eth_getCode', token, number],
    [
      'eth_getStorageAt',
      token,
      stage.anvils.accounts[0]?.padEnd(66, '0').replace(/^0x(.{40})0{24}$/, '0x000000000000000000000000$1'),
      'latest',
    ],
    ['eth_call', balanceOf, 'latest'],
    ['eth_call', balanceOf, number],
    ['eth_call', { to: token, data: `0xa9059cbb${'00'.repeat(31)}01${'ff'.repeat(32)}`, from: someone }, 'latest'],
    ['eth_estimateGas', { to: someone, from: stage.anvils.accounts[0], value: '0x1' }],
    ['eth_gasPrice'],
    ['eth_feeHistory', '0x2', 'latest', [50]],
  ]
  const expected = await askAll(calls, stage.anvils.nodes[0]!.url)
  return { calls, expected, block: number }
}

/** A transaction that is taken, whoever is ill, and is in the next block. */
async function sendAndMine(): Promise<void> {
  const signed = await stage.sign()
  const hash = await resultOfRpc<string>(stage.url, 'eth_sendRawTransaction', signed)
  const { transactions } = await stage.mine()
  expect(transactions).toContain(hash)
}

function askAll(calls: readonly Asked[], url = stage.url): Promise<TestRpcResponse[]> {
  return Promise.all(calls.map(([method, ...params]) => callRpc(url, method, ...params)))
}

function named(calls: readonly Asked[], told: readonly TestRpcResponse[]) {
  return calls.map(([method, ...params], i) => [`${method} ${JSON.stringify(params)}`, told[i]])
}

/** One that nobody has asked about. */
function address(): string {
  return `0x${crypto.randomUUID().replaceAll('-', '').padEnd(40, '0')}`
}
