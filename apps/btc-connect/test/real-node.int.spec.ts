import { checkBlock } from '@trestle/bitcoin/block'
import { chainRules } from '@trestle/bitcoin/chain-rules'
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
