import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { type EthRpcUnderTest, startEthRpcUnderTest } from './gateway-under-test.js'

describe('a call through the gateway', () => {
  let anvils: TestAnvils
  let gateway: EthRpcUnderTest
  let url: string

  beforeAll(async () => {
    anvils = await startAnvils({ count: 2 })
    await anvils.mine(3)
    gateway = await startEthRpcUnderTest(
      anvils.nodes.map(({ name, url, webSocketUrl }) => `${name}=${url}+${webSocketUrl}#archive`).join(','),
    )
    url = await gateway.project()
  })
  afterAll(async () => {
    await gateway.stop()
    await anvils.stop()
  })

  it('returns the number of the newest block', async () => {
    expect(await post('{"jsonrpc":"2.0","method":"eth_blockNumber","params":[],"id":1.0}')).toBe(
      '{"jsonrpc":"2.0","id":1.0,"result":"0x3"}',
    )
  })

  it('returns what a node returns', async () => {
    const block = await anvils.nodes[0]?.rpc.call('eth_getBlockByNumber', 'latest', true)
    const answer = await post('{"jsonrpc":"2.0","method":"eth_getBlockByNumber","params":["latest",true],"id":"a"}')
    expect(JSON.parse(answer)).toEqual({ jsonrpc: '2.0', id: 'a', result: block })
  })

  async function post(body: string): Promise<string> {
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(answer.status).toBe(200)
    return answer.text()
  }
})
