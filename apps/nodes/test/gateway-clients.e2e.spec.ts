import { freePorts } from '@trestle/devnet/ports'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { callJson } from '@trestle/testing/call-json'
import { eventually } from '@trestle/testing/eventually'
import { createPublicClient, createWalletClient, defineChain, http, parseEther } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { callMachine, type GatewayUnderTest, type Held, postToGateway, startGateway } from './gateway/gateway-under-test.js'
import { commandLineClient, startRegtestNode } from './gateway/regtest-node.js'

const MNEMONIC = 'test test test test test test test test test test test junk'
const ADDRESS = 'mqUB4fa19XcG8mbe3u56niFGBpqF4Uegaw'

let gateway: GatewayUnderTest
let anvils: TestAnvils
let regtest: Awaited<ReturnType<typeof startRegtestNode>>
beforeAll(async () => {
  ;[gateway, anvils, regtest] = await Promise.all([startGateway(), startAnvils(), startRegtestNode()])
})
afterAll(async () => {
  await gateway.stop()
  await anvils.stop()
  await regtest.stop()
})

describe('viem', () => {
  let node: Held
  beforeAll(async () => {
    node = await gateway.node(anvils.nodes[0]!)
  })

  it('reads, and sends a transaction that is in the next block', async () => {
    const { reading, account, wallet } = await clients()
    const before = await reading.getBlockNumber()
    const hash = await wallet.sendTransaction({ to: `0x${'12'.repeat(20)}`, value: parseEther('1') })
    await callMachine(node, 'evm_mine')
    expect(await reading.getBlockNumber()).toBe(before + 1n)
    expect(await reading.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', from: account.address.toLowerCase() })
    expect(await reading.getBalance({ address: `0x${'12'.repeat(20)}` })).toBe(parseEther('1'))
  })

  it('batches, and watches a filter', async () => {
    const { reading } = await clients()
    const [block, price, code] = await Promise.all([
      reading.getBlock(),
      reading.getGasPrice(),
      reading.getCode({ address: `0x${'12'.repeat(20)}` }),
    ])
    expect([block.number, price, code]).toEqual([expect.any(BigInt), expect.any(BigInt), undefined])
    const filter = await reading.createBlockFilter()
    await callMachine(node, 'evm_mine')
    expect(await reading.getFilterChanges({ filter })).toHaveLength(1)
    expect(await reading.uninstallFilter({ filter })).toBe(true)
  })

  it('learns what is not offered here', async () => {
    const { reading } = await clients()
    await expect(reading.request({ method: 'anvil_mine' as never })).rejects.toMatchObject({ code: -32601 })
  })

  async function clients() {
    const chain = defineChain({
      id: 31_337,
      name: 'anvil',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [node.url] } },
    })
    const transport = http(node.url, { batch: true, fetchOptions: { headers: { authorization: node.authorization } } })
    const account = mnemonicToAccount(MNEMONIC)
    return {
      account,
      reading: createPublicClient({ chain, transport, cacheTime: 0 }),
      wallet: createWalletClient({ chain, transport, account }),
    }
  }
})

describe('a real Litecoin node at its own port', () => {
  let port: number
  let node: Held
  let credentials: string[]
  beforeAll(async () => {
    ;[port = 0] = await freePorts(1)
    node = await gateway.node(regtest, { chain: 'ltc', network: 'regtest', port })
    credentials = [`-rpcconnect=127.0.0.1`, `-rpcport=${port}`, `-rpcuser=${node.user}`, `-rpcpassword=${node.password}`]
    await eventually(
      async () => (await callMachine(atPort(), 'uptime').catch(() => undefined))?.status === 200 || undefined,
      'the port is open',
    )
  })

  it('makes blocks, and tells of them over JSON-RPC and REST', async () => {
    const { body } = await callMachine(atPort(), 'generatetoaddress', 3, ADDRESS)
    expect(body.result).toHaveLength(3)
    expect((await callMachine(node, 'getblockcount')).body.result).toBe(3)
    const path = `/rest/block/${body.result[2]}.json`
    for (const base of [`http://127.0.0.1:${port}`, node.url]) {
      expect((await callJson(base + path, { headers: { authorization: node.authorization } })).body).toMatchObject({ height: 3 })
    }
    const { body: batch } = await postToGateway(
      `http://127.0.0.1:${port}`,
      '[{"id":1,"method":"getbestblockhash","params":[]},{"id":2,"method":"stop","params":[]},{"id":3,"method":"getblockhash","params":[9]}]',
      { authorization: node.authorization },
    )
    expect(batch).toEqual([
      { result: body.result[2], error: null, id: 1 },
      { result: null, error: { code: -32601, message: expect.any(String) }, id: 2 },
      { result: null, error: { code: -8, message: expect.any(String) }, id: 3 },
    ])
  })

  it("has a transaction's refusal told in the node's own words", async () => {
    const { status, body } = await callMachine(atPort(), 'sendrawtransaction', '00')
    expect([status, body.error]).toMatchObject([500, { code: -22 }])
  })

  it('answers its own command line', async () => {
    expect(await commandLineClient([...credentials, 'getblockcount'])).toEqual({ code: 0, output: expect.stringMatching(/^\d+$/) })
    expect(await commandLineClient([...credentials, 'stop'])).toMatchObject({ code: 1, output: expect.stringContaining('403') })
    expect(await commandLineClient([...credentials.slice(0, 3), '-rpcpassword=wrong', 'getblockcount'])).toMatchObject({
      output: expect.stringContaining('Authorization failed'),
    })
    expect((await callMachine(node, 'getblockcount')).status).toBe(200)
  })

  it('ignores X-Forwarded-For at the port of a node', async () => {
    await gateway.change(node.id, "allowed_ips = '{192.0.2.7}'")
    const headers = { authorization: node.authorization, 'x-forwarded-for': '192.0.2.7' }
    expect((await postToGateway(`http://127.0.0.1:${port}`, '{"method":"uptime"}', headers)).status).toBe(403)
    expect((await postToGateway(node.url, '{"method":"uptime"}', headers)).status).toBe(200)
    await gateway.change(node.id, "allowed_ips = '{}'")
  })

  it('has its port closed while it is stopped, and open again', async () => {
    await gateway.change(node.id, "desired_state = 'stopped'")
    await eventually(async () => ((await isOpen()) ? undefined : true), 'the port is closed')
    await gateway.change(node.id, "desired_state = 'started'")
    await eventually(async () => (await isOpen()) || undefined, 'the port is open')
  })

  it('waits for a port that somebody else has', async () => {
    const { createServer } = await import('node:http')
    const [taken = 0] = await freePorts(1)
    const other = createServer((_, response) => response.end('mine')).listen(taken, '127.0.0.1')
    const held = await gateway.node(regtest, { chain: 'ltc', network: 'regtest', port: taken })
    const ports = async () => (await (await fetch(`${gateway.service.internalUrl}/metrics`)).text()).match(/^node_ports_taken (\d+)$/m)?.[1]
    await eventually(async () => ((await ports()) === '1' ? true : undefined), 'it is told of')
    expect((await callMachine(held, 'uptime')).status).toBe(200)
    other.close()
    other.closeAllConnections()
    await eventually(async () => ((await ports()) === '0' ? true : undefined), 'it is open')
    expect((await callMachine({ ...held, url: `http://127.0.0.1:${taken}` }, 'uptime')).status).toBe(200)
  })

  function atPort() {
    return { ...node, url: `http://127.0.0.1:${port}` }
  }

  function isOpen(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => false,
    )
  }
})
