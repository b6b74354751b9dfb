import { chainRules } from '@trestle/bitcoin/chain-rules'
import { createLogger } from '@trestle/runtime/logger'
import { type TestChain, testChain } from '@trestle/testing/chain'
import { MempoolClient } from '../src/mempool/mempool.client.js'
import { NodeClient } from '../src/node/node.client.js'
import { NodeBlocksClient } from '../src/node/node-blocks.client.js'
import { NodeCapabilitiesService } from '../src/node/node-capabilities.service.js'

const rules = chainRules('ltc', 'regtest')
const { signal } = new AbortController()

describe('a litecoin node with extension blocks', () => {
  let chain: TestChain
  let client: NodeClient
  let blocks: NodeBlocksClient
  let mempool: MempoolClient

  beforeAll(async () => {
    chain = await testChain({ coin: 'ltc', mweb: true })
    const env = { NODE_URL: chain.url, NODE_COOKIE_FILE: chain.cookieFile }
    client = new NodeClient(env)
    blocks = new NodeBlocksClient(client, new NodeCapabilitiesService(client, createLogger('test', 'silent'), env), rules)
    mempool = new MempoolClient(client, rules)
  })

  afterAll(async () => {
    await client.close()
    await chain.stop()
  })

  it('serves its blocks over REST and JSON-RPC, with what is publicly visible in them', async () => {
    await chain.mine(2)
    const { height, hash } = await blocks.tip(signal)
    let last: Buffer = Buffer.alloc(0)
    for await (const block of blocks.blocks(425, height, signal)) {
      const { tx } = await chain.rpc<{ tx: string[] }>('getblock', block.header.hash.toString('hex'))
      expect(block.transactions.map(({ txid }) => txid.toString('hex'))).toEqual(tx)
      last = block.header.hash
    }
    expect(last).toEqual(hash)
  })

  it('lists transactions that cannot be parsed; they are ignored', async () => {
    const hidden = await chain.rpc<string>('sendtoaddress', await chain.rpc('getnewaddress', '', 'mweb'), 5)
    const { txids } = await mempool.list(signal)
    expect(txids).toEqual([hidden])
    expect(await mempool.fetch(txids, signal)).toEqual({ transactions: [], unparseable: [hidden] })
  })
})
