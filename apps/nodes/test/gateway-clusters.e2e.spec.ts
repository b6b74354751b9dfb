import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { eventually } from '@trestle/testing/eventually'
import { mnemonicToAccount } from 'viem/accounts'
import { callMachine, type GatewayUnderTest, type Held, postToGateway, startGateway } from './gateway/gateway-under-test.js'
import { echoBody, json, type RecordingMachine, startRecordingMachine } from './gateway/recording-machine.js'

const MNEMONIC = 'test test test test test test test test test test test junk'

let gateway: GatewayUnderTest
let machines: RecordingMachine[]
beforeAll(async () => {
  gateway = await startGateway()
  machines = await Promise.all([1, 2, 3].map(() => startRecordingMachine()))
})
beforeEach(() => {
  for (const machine of machines) machine.answers()
})
afterAll(async () => {
  await gateway.stop()
  for (const machine of machines) await machine.stop()
})

describe('the calls of a cluster', () => {
  it('go to the member that is at the fewest, and one after the other to the same', async () => {
    const cluster = await gateway.cluster(machines)
    const waiting: (() => void)[] = []
    for (const machine of machines) machine.answers((response, received) => waiting.push(() => echoBody(response, received)))
    const calls = Array.from({ length: 30 }, () => callMachine(cluster, 'eth_chainId'))
    await eventually(() => waiting.length === 30 || undefined, 'all are asked')
    expect(machines.map(({ received }) => received.length)).toEqual([10, 10, 10])
    for (const answer of waiting) answer()
    await Promise.all(calls)
    for (const machine of machines) machine.answers()
    for (let i = 0; i < 5; i++) await callMachine(cluster, 'eth_chainId')
    expect(machines.map(({ received }) => received.length).sort()).toEqual([0, 0, 5])
  })

  it('go to none that is too far behind, is about to go, or is not there', async () => {
    const [first, second, third] = machines as [RecordingMachine, RecordingMachine, RecordingMachine]
    const members = [
      { url: first.url, height: 1_000 },
      { url: second.url, height: 969 },
      { url: third.url, height: 1_000, draining: true },
      { url: third.url, height: 1_000, phase: 'syncing' },
    ]
    const cluster = await gateway.cluster(members)
    await Promise.all(Array.from({ length: 20 }, () => callMachine(cluster, 'eth_chainId')))
    expect(machines.map(({ received }) => received.length)).toEqual([20, 0, 0])
  })

  it('that read are answered by another where one is away, breaks off, is locked, busy or warms up', async () => {
    const [first, second] = machines as [RecordingMachine, RecordingMachine]
    const cluster = await gateway.cluster([first, second], { chain: 'ltc', network: 'mainnet' })
    for (const fail of FAILURES) {
      first.answers(fail)
      second.answers()
      const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await callMachine(cluster, 'getblockcount')).status))
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
  })

  it('that make something are not sent twice', async () => {
    for (const machine of machines) machine.answers((response) => response.socket?.resetAndDestroy())
    const cluster = await gateway.cluster(machines)
    expect((await callMachine(cluster, 'evm_mine')).body).toMatchObject({ status: 502, code: 'NodeFailed' })
    expect(machines.reduce((sum, { received }) => sum + received.length, 0)).toBe(1)
  })

  it('find no member that is well: then the least bad is asked', async () => {
    for (const machine of machines) machine.answers((response) => response.writeHead(503).end())
    const cluster = await gateway.cluster(machines)
    for (let i = 0; i < 6; i++) expect((await callMachine(cluster, 'eth_chainId')).status).toBe(503)
    for (const machine of machines) machine.answers()
    expect((await callMachine(cluster, 'eth_chainId')).status).toBe(200)
  })

  it('may need no credentials, and make blocks only for addresses that are listed', async () => {
    const cluster = await gateway.cluster(machines, { authType: 'none' })
    const listed = await gateway.cluster(machines, { authType: 'none', allowedIps: ['127.0.0.1'] })
    const call = (url: string, method: string) => postToGateway(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method }))
    for (const { url } of [cluster, listed]) expect((await call(url, 'eth_chainId')).status).toBe(200)
    expect((await call(cluster.url, 'evm_mine')).body).toMatchObject({ error: { code: -32601 } })
    expect((await call(listed.url, 'evm_mine')).body).not.toHaveProperty('error')
  })
})

describe('a filter', () => {
  it('is asked of the member that made it, also in a batch', async () => {
    const cluster = await gateway.cluster(machines)
    for (const [i, machine] of machines.entries()) {
      machine.answers((response, { body }) => {
        const one = ({ id, method }: { id: number; method: string }) => ({
          jsonrpc: '2.0',
          id,
          result: method.startsWith('eth_new') ? `0xf${i}` : [i],
        })
        const calls = JSON.parse(body)
        json(response, Array.isArray(calls) ? calls.map(one) : one(calls))
      })
    }
    const made = await Promise.all(Array.from({ length: 12 }, async () => (await callMachine(cluster, 'eth_newBlockFilter')).body.result))
    expect(new Set(made).size).toBe(3)
    for (const id of made) expect((await callMachine(cluster, 'eth_getFilterChanges', id)).body.result).toEqual([Number(id.slice(3))])
    const batch = `[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_getFilterLogs","params":["0xf2"]}]`
    expect((await postToGateway(cluster.url, batch, { authorization: cluster.authorization })).body).toMatchObject([{}, { result: [2] }])
    const mixed = batch.replace('eth_chainId', 'admin_peers')
    for (const machine of machines) machine.answers((response) => json(response, [{ jsonrpc: '2.0', id: 2, result: 'x'.repeat(200_000) }]))
    const { body } = await postToGateway(cluster.url, mixed, { authorization: cluster.authorization })
    expect(body).toMatchObject([{ error: { code: -32601 } }, { id: 2 }])
    expect(machines[2]?.received).toHaveLength(1)
  })
})

describe('a transaction', () => {
  it('is told to all members: the first that takes it answers, also where others know it already or fail', async () => {
    const cluster = await gateway.cluster(machines)
    const [first, second, third] = machines as [RecordingMachine, RecordingMachine, RecordingMachine]
    first.answers((response) => json(response, { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'already known' } }))
    second.answers((response) => response.socket?.resetAndDestroy())
    third.answers((response) => setTimeout(() => json(response, { jsonrpc: '2.0', id: 1, result: '0xhash' }), 50))
    expect((await callMachine(cluster, 'eth_sendRawTransaction', '0x00')).body.result).toBe('0xhash')
    expect(machines.map(({ received }) => received.length)).toEqual([1, 1, 1])
  })

  it('that nobody takes is answered by whoever knows it, before any refusal', async () => {
    const cluster = await gateway.cluster(machines, { chain: 'btc', network: 'mainnet' })
    const [first, second, third] = machines as [RecordingMachine, RecordingMachine, RecordingMachine]
    for (const machine of [first, third])
      machine.answers((response) => json(response, { result: null, error: { code: -25, message: 'Missing inputs' }, id: 1 }, 500))
    second.answers((response) =>
      json(response, { result: null, error: { code: -27, message: 'Transaction already in block chain' }, id: 1 }, 500),
    )
    expect((await callMachine(cluster, 'sendrawtransaction', '00')).body.error.code).toBe(-27)
  })
})

describe('a cluster of real nodes', () => {
  let anvils: TestAnvils
  let cluster: Held
  beforeAll(async () => {
    anvils = await startAnvils({ count: 3, inStep: false })
    cluster = await gateway.cluster(anvils.nodes)
  })
  afterAll(() => anvils.stop())

  it('has a transaction in each of them', async () => {
    const account = mnemonicToAccount(MNEMONIC)
    const raw = await account.signTransaction({
      chainId: 31_337,
      nonce: 0,
      to: account.address,
      gas: 21_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 1n,
      type: 'eip1559',
    })
    const { result } = (await callMachine(cluster, 'eth_sendRawTransaction', raw)).body
    expect(result).toMatch(/^0x[0-9a-f]{64}$/)
    // The first to take it is the answer; the others take it as soon.
    for (const { name, rpc } of anvils.nodes)
      await eventually(async () => (await rpc.call('eth_getTransactionByHash', result)) ?? undefined, `${name} has it`)
    expect((await callMachine(cluster, 'eth_sendRawTransaction', raw)).body.error.message).toMatch(/already/)
  })

  it('loses a member under load without losing a read', async () => {
    let reads = 0
    const failed: unknown[] = []
    const reading = Array.from({ length: 24 }, async () => {
      while (reads < 500) {
        const { status, body } = await callMachine(cluster, 'eth_getBalance', anvils.accounts[0], 'latest')
        reads++
        if (status !== 200 || !body?.result) failed.push([status, body])
      }
    })
    await eventually(() => reads > 200 || undefined, 'it is read')
    await anvils.kill(1)
    await Promise.all(reading)
    expect(failed).toEqual([])
  })

  it('takes it back when it is there again', async () => {
    await anvils.restart(1)
    const { rpc } = anvils.nodes[1]!
    await eventually(async () => {
      const made = await Promise.all(Array.from({ length: 9 }, async () => (await callMachine(cluster, 'eth_newBlockFilter')).body.result))
      const removed = await Promise.all(made.map((id) => rpc.call<boolean>('eth_uninstallFilter', id)))
      return removed.includes(true) || undefined
    }, 'it is asked again')
  })

  it('loses one that is taken out for good without losing a read', async () => {
    let isGone = false
    const failed: unknown[] = []
    const reading = Array.from({ length: 16 }, async () => {
      while (!isGone) {
        const { status, body } = await callMachine(cluster, 'eth_blockNumber')
        if (status !== 200) failed.push([status, body])
      }
    })
    const [gone] = cluster.machines
    await gateway.sql.query('UPDATE workload_machine SET draining_since = now() WHERE id = $1', [gone])
    await gateway.told(cluster.id)
    await gateway.sql.query("UPDATE workload_machine SET desired_state = 'gone' WHERE id = $1", [gone])
    await gateway.told(cluster.id)
    await anvils.kill(0)
    for (let i = 0; i < 20; i++) await callMachine(cluster, 'eth_blockNumber')
    isGone = true
    await Promise.all(reading)
    expect(failed).toEqual([])
  })
})

const FAILURES: Parameters<RecordingMachine['answers']>[0][] = [
  (response) => response.socket?.resetAndDestroy(),
  (response) => response.writeHead(200, { 'content-length': '100' }).write('{', () => response.socket?.destroy()),
  (response) => response.writeHead(401).end(),
  (response) => response.writeHead(503).end('Work queue depth exceeded'),
  (response) => json(response, '{"result":null,"error":{"code":-28,"message":"Loading block index..."},"id":1}', 500),
  (response, received) => echoBody(response, received),
]
