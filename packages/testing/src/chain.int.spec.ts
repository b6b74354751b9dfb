import { existsSync } from 'node:fs'
import { hasBitcoind, type TestChain, testChain } from './chain.js'

const coins = (await hasBitcoind()) ? (['btc', 'ltc'] as const) : (['ltc'] as const)

describe.each(coins)('testChain of %s', (coin) => {
  let chain: TestChain

  beforeAll(async () => {
    chain = await testChain({ coin })
  })

  afterAll(() => chain.stop())

  it('mines blocks that pay its wallet', async () => {
    const hashes = await chain.mine(101)
    expect(hashes).toHaveLength(101)
    expect(await chain.rpc('getbestblockhash')).toBe(hashes.at(-1))
    expect(await chain.rpc('getbalance')).toBe(50)
  })

  it('sends many requests at once, and reports which one failed', async () => {
    const heights = Array.from({ length: 101 }, (_, i) => i + 1)
    const hashes = await chain.batch<string>(heights.map((height) => ['getblockhash', height]))
    expect(new Set(hashes).size).toBe(101)
    await expect(chain.batch([['getblockcount'], ['getblockhash', 999]])).rejects.toThrow('getblockhash: Block height out of range (-8)')
  })

  it('restarts at the same address with the same chain', async () => {
    const before = await chain.rpc('getbestblockhash')
    const pid = chain.pid()
    await chain.kill()
    await expect(chain.rpc('getblockcount')).rejects.toThrow('fetch failed')
    await chain.start()
    expect(chain.pid()).not.toBe(pid)
    expect(await chain.rpc('getbestblockhash')).toBe(before)
    expect(await chain.rpc('getbalance')).toBe(50)
  })

  it('accepts the cookie, and serves raw blocks to everyone', async () => {
    const { username, password, origin } = new URL(chain.urlWithCredentials())
    const status = async (user: string) => {
      const headers = { authorization: `Basic ${Buffer.from(user).toString('base64')}` }
      return (await fetch(origin, { method: 'POST', headers, body: '{"method":"getblockcount"}' })).status
    }
    expect([await status(`${username}:${password}`), await status(`${username}:guess`)]).toEqual([200, 401])
    const block = await fetch(`${chain.url}/rest/block/${await chain.rpc<string>('getbestblockhash')}.bin`)
    expect((await block.arrayBuffer()).byteLength).toBeGreaterThan(80)
  })

  it('publishes over ZMQ where it is built in', () => {
    expect(chain.zmqUrl).toEqual(coin === 'btc' ? expect.stringMatching(/^tcp:\/\/127\.0\.0\.1:\d+$/) : undefined)
  })
})

describe('testChain of ltc with MWEB', () => {
  it('starts at the first extension block, and continues', async () => {
    const chain = await testChain({ coin: 'ltc', mweb: true })
    expect(await chain.rpc('getblockcount')).toBe(432)
    const [hash] = await chain.mine(1)
    const { tx, mweb } = await chain.rpc<{ tx: { vout: { scriptPubKey: { type: string } }[] }[]; mweb: object }>('getblock', hash, 2)
    expect(tx.at(-1)?.vout[0]?.scriptPubKey.type).toBe('witness_mweb_hogaddr')
    expect(mweb).toMatchObject({ height: 433 })
    const { cookieFile } = chain
    await chain.stop()
    expect(existsSync(cookieFile)).toBe(false)
  })
})
