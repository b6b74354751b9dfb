import { FakeHeadFeed } from '../../test/upstreams/fake-head-feed.js'
import { hangs, type ReceivedCall, refuses, ScriptedNode, says, sends } from '../../test/upstreams/scripted-node.js'
import { upstreamsBefore } from '../../test/upstreams/upstreams.js'
import type { LogFilter } from './log-filter.js'
import { UpstreamPool } from './upstream-pool.engine.js'

const HEAD = 20_000
const LIMITS = { blocks: 15_000 }
const ADDRESS = `0x${'ab'.repeat(20)}`
const TOPIC = `0x${'cd'.repeat(32)}`

describe(`${UpstreamPool.name}.logs`, () => {
  let node: ScriptedNode
  let feed: FakeHeadFeed
  let started: ReturnType<typeof upstreamsBefore>

  beforeEach(async () => {
    node = await ScriptedNode.start(everyHundredth())
    feed = new FakeHeadFeed(['a'], HEAD)
    started = upstreamsBefore([{ url: node.url }], feed)
  })

  afterEach(async () => {
    await started.close()
    node.stop()
  })

  it('passes on the logs of a short range unchanged', async () => {
    node.script = sends('{"jsonrpc":"2.0","id":1,"result":[ {"a" : 1} ]}')
    const { json } = await started.upstreams.logs({ fromBlock: 1, toBlock: 2_000, address: ADDRESS, topics: [null, [TOPIC]] }, LIMITS)
    expect(json.toString()).toBe('[ {"a" : 1} ]')
    expect(node.received.map(({ params }) => params)).toEqual([
      [{ fromBlock: '0x1', toBlock: '0x7d0', address: ADDRESS, topics: [null, [TOPIC]] }],
    ])
  })

  it('joins the parts of a long range in order', async () => {
    const numbers = await search({ fromBlock: 1, toBlock: 14_321 })
    expect(numbers).toEqual(Array.from({ length: 143 }, (_, i) => (i + 1) * 100))
    expect(node.received).toHaveLength(8)
  })

  it('searches at most five parts at once', async () => {
    let [now, most, seen] = [0, 0, 0]
    const waiting: (() => void)[] = []
    node.script = (call, response) => {
      most = Math.max(most, ++now)
      waiting.push(() => {
        now--
        says([])(call, response)
      })
      // The first five are held until all are there, and a while for a sixth to show itself.
      if (++seen >= 5)
        setTimeout(() => {
          for (const answer of waiting.splice(0)) answer()
        }, 20)
    }
    await search({ fromBlock: 1, toBlock: 15_000 })
    expect(most).toBe(5)
  })

  it.each([
    'query returned more than 10000 results',
    'block range is too large',
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range',
  ])('halves a part when a node says "%s"', async (message) => {
    node.script = (call, response) => {
      const { from, to } = rangeOf(call)
      if (to - from >= 300) refuses({ code: -32005, message })(call, response)
      else everyHundredth()(call, response)
    }
    expect(await search({ fromBlock: 101, toBlock: 5_000 })).toEqual(Array.from({ length: 49 }, (_, i) => (i + 2) * 100))
  })

  it('passes on the error for a single block', async () => {
    const error = { code: -32005, message: 'query returned more than 10000 results' }
    node.script = refuses(error)
    expect(JSON.parse((await started.upstreams.logs({ fromBlock: 7, toBlock: 8 }, LIMITS)).json.toString())).toEqual(error)
  })

  it('fails as a whole when one part fails, and stops the others', async () => {
    const error = { code: -32602, message: 'invalid address' }
    node.script = (call, response) => (rangeOf(call).from === 4_001 ? refuses(error) : hangs())(call, response)
    const { member, json } = await started.upstreams.logs({ fromBlock: 1, toBlock: 15_000 }, LIMITS)
    expect([member, JSON.parse(json.toString())]).toEqual(['error', error])
    while (node.brokenOff < 4) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(node.received).toHaveLength(5)
  })

  it('refuses more logs than it may hold', async () => {
    const result = JSON.stringify([{ data: '00'.repeat(4_000_000) }])
    node.script = sends(`{"jsonrpc":"2.0","id":1,"result":${result}}`)
    await expect(started.upstreams.logs({ fromBlock: 1, toBlock: 15_000 }, LIMITS)).rejects.toMatchObject({ error: { code: -32005 } })
  })

  it.each([
    ['in whole', HEAD + 1],
    ['in part', HEAD - 1],
  ])('refuses a range beyond the head, rather than cutting it: %s', async (_, fromBlock) => {
    const refused = search({ fromBlock, toBlock: HEAD + 9 })
    await expect(refused).rejects.toMatchObject({ error: { code: -32602, message: 'block range extends beyond current head block' } })
    expect(node.received).toHaveLength(0)
  })

  it('does not mix parts of two branches', async () => {
    node.script = (call, response) => {
      feed.grow(HEAD, '0xother')
      says([])(call, response)
    }
    await expect(started.upstreams.logs({ fromBlock: HEAD - 4_000, toBlock: HEAD }, LIMITS)).rejects.toMatchObject({
      error: { code: -32002 },
    })
  })

  it('finds nothing in a range backwards, and asks nobody', async () => {
    expect(await search({ fromBlock: 9, toBlock: 8 })).toEqual([])
    expect(node.received).toEqual([])
  })

  it('asks for one block by its hash', async () => {
    node.script = says([{ blockNumber: '0x9' }])
    expect(await search({ blockHash: `0xhash${HEAD}`, topics: [TOPIC] })).toEqual([9])
    expect(node.received[0]?.params).toEqual([{ blockHash: `0xhash${HEAD}`, topics: [TOPIC] }])
  })

  it.each([
    ['a range beyond the head', { fromBlock: 9, toBlock: HEAD + 1 }, 'block range extends beyond current head block'],
    ['a range too long', { fromBlock: 1, toBlock: 15_001 }, 'a range may span 15000 blocks at most, not 15001'],
    ['10,000 addresses', { fromBlock: 1, toBlock: 2, address: Array(10_000).fill('0x1') }, '1000 addresses'],
    [
      'an address that is none',
      { fromBlock: 1, toBlock: 2, address: '0x1' },
      'invalid argument 0: invalid address: hex string of odd length',
    ],
    ['a topic that is none', { fromBlock: 1, toBlock: 2, topics: ['0x1'] }, 'invalid argument 0: hex string of odd length'],
    ['five topics', { fromBlock: 1, toBlock: 2, topics: Array(5).fill(null) }, 'exceed max topics'],
    ['10,000 alternatives of a topic', { blockHash: '0x1', topics: [Array(10_000).fill('0x1')] }, '1000 alternatives'],
  ])('refuses %s', async (_, filter, message) => {
    await expect(started.upstreams.logs(filter, LIMITS)).rejects.toMatchObject({
      error: { code: -32602, message: expect.stringContaining(message) },
    })
  })

  async function search(filter: LogFilter): Promise<number[]> {
    const { member, json } = await started.upstreams.logs(filter, LIMITS)
    expect(member).toBe('result')
    return (JSON.parse(json.toString()) as { blockNumber: string }[]).map(({ blockNumber }) => Number(blockNumber))
  }
})

function rangeOf({ params }: ReceivedCall): { from: number; to: number } {
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
  return { from: Number(fromBlock), to: Number(toBlock) }
}

/** A chain with one log in every hundredth block. */
function everyHundredth(): ScriptedNode['script'] {
  return (call, response) => {
    const { from, to } = rangeOf(call)
    const logs: { blockNumber: string }[] = []
    for (let number = Math.ceil(from / 100) * 100; number <= to; number += 100) logs.push({ blockNumber: `0x${number.toString(16)}` })
    says(logs, Math.random() * 20)(call, response)
  }
}
