import { addressOf } from '@trestle/bitcoin/address'
import { checkBlock } from '@trestle/bitcoin/block'
import { chainRules } from '@trestle/bitcoin/chain-rules'
import { descriptorChecksum } from '@trestle/bitcoin/descriptors/checksum'
import { descriptorOf, scriptsOf } from '@trestle/bitcoin/descriptors/descriptor'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { createLogger } from '@trestle/runtime/logger'
import { hasBitcoind, type TestChain, testChain } from '@trestle/testing/chain'
import { NodeClient } from '../src/node/node.client.js'
import { NodeBlocksClient } from '../src/node/node-blocks.client.js'
import { estimateFee, estimateSmartFee, networkInfo } from '../src/node/node-calls.js'
import { NodeCapabilitiesService } from '../src/node/node-capabilities.service.js'
import { NodeEvents } from '../src/node/node-events.engine.js'

const logger = createLogger('test', 'silent')
const { signal } = new AbortController()
const ACCOUNT = 'tpubDD7tXK8KeQ3YY83yWq755fHY2JW8Ha8Q765tknUM5rSvjPcGWfUppDFMpQ1ScziKfW3ZNtZvAD7M3u7bSs7HofjTD3KP3YxPK7X6hwV8Rk2'
const KEY = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600'
const WALLETS = [
  `pkh([00000000/44h/1h/0h]${ACCOUNT}/0/*)`,
  `sh(wpkh(${ACCOUNT}/1/*))`,
  `wpkh(${ACCOUNT}/7/*)`,
  `wsh(sortedmulti(2,${ACCOUNT}/0/*,${ACCOUNT}/1/*,${KEY}))`,
  `sh(wsh(multi(1,${ACCOUNT}/0/*,${KEY})))`,
  `sh(sortedmulti(1,${KEY},${ACCOUNT}/3/*))`,
  `wsh(pkh(${ACCOUNT}/0/5))`,
]
// Litecoin Core 0.21 knows none of these.
const TAPROOT = [`tr(${ACCOUNT}/0/*)`, `tr(${ACCOUNT}/0/*,{pk(${ACCOUNT}/1/*),pk(${KEY.slice(2)})})`]
const withBitcoind = (await hasBitcoind()) ? describe : describe.skip

describe.each(['ltc', 'btc'] as const)('a real node of %s', (coin) => {
  const suite = coin === 'ltc' ? describe : withBitcoind
  suite('by its cookie', () => {
    let chain: TestChain
    let client: NodeClient
    let capabilities: NodeCapabilitiesService
    let blocks: NodeBlocksClient

    beforeAll(async () => {
      chain = await testChain({ coin })
      await chain.mine(120)
      const env = { NODE_URL: chain.url, NODE_COOKIE_FILE: chain.cookieFile }
      client = new NodeClient(env)
      capabilities = new NodeCapabilitiesService(client, logger, env)
      blocks = new NodeBlocksClient(client, capabilities, chainRules(coin, 'regtest'))
    })

    afterAll(async () => {
      await client.close()
      await chain.stop()
    })

    it('has its capabilities detected', async () => {
      expect(await capabilities.get()).toMatchObject({ rest: true, pruned: false, prevouts: coin === 'btc', version: expect.any(Number) })
    })

    it('returns every block of its chain', async () => {
      const tip = await blocks.tip(signal)
      const seen: Buffer[] = []
      for await (const block of blocks.blocks(0, tip.height, signal)) seen.push(block.header.hash)
      expect(seen).toHaveLength(tip.height + 1)
      expect(seen.at(-1)).toEqual(tip.hash)
    })

    it('returns the same block over REST and JSON-RPC', async () => {
      const { hash } = await blocks.tip(signal)
      const overRpc = new NodeBlocksClient(
        client,
        { get: async () => ({ rest: false }) } as NodeCapabilitiesService,
        chainRules(coin, 'regtest'),
      )
      expect((await overRpc.block(hash, signal)).raw).toEqual((await blocks.block(hash, signal)).raw)
    })

    it.each(coin === 'btc' ? [...WALLETS, ...TAPROOT] : WALLETS)('derives the addresses of %s as we do', async (descriptor) => {
      const rules = chainRules(coin, 'regtest')
      const text = `${descriptor}#${descriptorChecksum(descriptor)}`
      const isRanged = descriptor.includes('*')
      const derived = await chain.rpc('deriveaddresses', text, ...(isRanged ? [[0, 4]] : []))
      expect(scriptsOf(descriptorOf(text, rules), 5).map((script) => addressOf(script, rules))).toEqual(derived)
    })

    it('returns a disconnected block', async () => {
      const [stale = ''] = await chain.mine(1)
      await chain.rpc('invalidateblock', stale)
      await chain.rpc('generatetoaddress', 2, await chain.rpc('getnewaddress'))
      const block = await blocks.block(Buffer.from(stale, 'hex'), signal)
      expect(() => checkBlock(block, chainRules(coin, 'regtest'))).not.toThrow()
    })

    it('is called for fees with its own method', async () => {
      expect(await client.call(estimateSmartFee(2))).toEqual({})
      await expect(client.call(estimateFee)).rejects.toMatchObject({ code: -32601 })
      expect((await client.call(networkInfo)).relayfee).toBe(0.00001)
    })

    it('is found again after a restart, with another cookie', async () => {
      const before = await blocks.tip(signal)
      await chain.kill()
      await expect(blocks.tip(signal)).rejects.toMatchObject({ name: 'NodeUnreachable' })
      await chain.start()
      expect(await blocks.tip(signal)).toEqual(before)
    })
  })
})

withBitcoind('the publisher of a real node', () => {
  it('notifies about blocks and transactions', async () => {
    const chain = await testChain({ coin: 'btc' })
    const env = { NODE_URL: chain.url, NODE_COOKIE_FILE: chain.cookieFile, NODE_ZMQ_URL: undefined }
    const client = new NodeClient(env)
    const lifecycle = new Lifecycle(logger)
    // The address is asked for, not given.
    const events = new NodeEvents(new NodeCapabilitiesService(client, logger, env), logger, env, lifecycle)
    events.onApplicationBootstrap()
    const [blocks, transactions] = [events.signalOn('block'), events.signalOn('transaction')]
    await rung(() => chain.mine(1), blocks)
    await chain.mine(101)
    const address = await chain.rpc<string>('getnewaddress')
    await rung(() => chain.rpc('sendtoaddress', address, 1), transactions)
    await lifecycle.run('drain')
    await client.close()
    await chain.stop()

    /** Does it until the bell rings: the subscription may take a moment to stand. */
    async function rung(act: () => Promise<unknown>, bell: { wait(ms: number, signal: AbortSignal): Promise<void> }): Promise<void> {
      for (let tries = 0; tries < 50; tries++) {
        await act()
        const begun = performance.now()
        await bell.wait(500, signal)
        if (performance.now() - begun < 450) return
      }
      throw new Error('it never rang')
    }
  })
})
