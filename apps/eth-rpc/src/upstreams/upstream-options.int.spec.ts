import { untilTrue } from '../../test/heads/tracked.js'
import { FakeHeadFeed } from '../../test/upstreams/fake-head-feed.js'
import { hangs, refuses, ScriptedNode, says } from '../../test/upstreams/scripted-node.js'
import { upstreamsBefore } from '../../test/upstreams/upstreams.js'
import { transactionHash } from './transaction-hash.js'
import type { UpstreamConfig } from './upstream-config.js'
import { knownMethod } from './upstream-request.js'

const CALL = { method: knownMethod('eth_call'), paramsJson: '[{},"0x64"]', block: 100 }
const RAW = '0x02f86c0180843b9aca0084b2d05e0082520894000000000000000000000000000000000000000080'

describe('the options of upstreams', () => {
  let nodes: ScriptedNode[]
  let feed: FakeHeadFeed
  let started: ReturnType<typeof upstreamsBefore> | undefined

  beforeEach(async () => {
    nodes = await Promise.all([ScriptedNode.start(says('0xa')), ScriptedNode.start(says('0xb'))])
    feed = new FakeHeadFeed(['a', 'b'])
  })

  afterEach(() => {
    started?.close()
    for (const node of nodes) node.stop()
  })

  it('send headers with every request', async () => {
    start([{ headers: { 'x-api-key': 'k', authorization: 'Bearer t' } }])
    await call()
    expect(nodes[0]?.received[0]?.headers).toMatchObject({
      'x-api-key': 'k',
      authorization: 'Bearer t',
      'content-type': 'application/json',
    })
  })

  it('let calls wait for one that has had its calls, and none fail', async () => {
    start([{ rateLimit: 20 }])
    const begun = performance.now()
    const results = await Promise.all(Array.from({ length: 12 }, call))
    expect(results).toEqual(Array(12).fill('0xa'))
    // Two at once, and ten that come fifty milliseconds apart.
    expect(performance.now() - begun).toBeGreaterThan(450)
  })

  it('choose another than one that has had its calls', async () => {
    start([{ rateLimit: 1, priority: 9 }, {}])
    expect(await Promise.all(Array.from({ length: 5 }, call))).toEqual(['0xa', '0xb', '0xb', '0xb', '0xb'])
  })

  it('let a transaction wait for one that has had its calls', async () => {
    start([{ rateLimit: 5 }])
    await call()
    nodes[0]!.script = says(transactionHash(RAW))
    const { member } = await started!.upstreams.broadcast(JSON.stringify([RAW]))
    expect(member).toBe('result')
    expect(nodes[0]?.received.map(({ method }) => method)).toEqual(['eth_call', 'eth_sendRawTransaction'])
  })

  it('share the calls by weight', async () => {
    start([{ weight: 9 }, {}])
    const results: string[] = []
    for (let count = 0; count < 200; count++) results.push(await call())
    const first = results.filter((result) => result === '0xa').length
    expect(first).toBeGreaterThan(150)
    expect(first).toBeLessThan(200)
  })

  it('never ask one for a method that its rules refuse', async () => {
    start([{ priority: 9, methods: { refused: ['eth_call'] } }, {}])
    expect(await call()).toBe('0xb')
    nodes[1]!.script = refuses({ code: -32000, message: 'header not found' })
    await call()
    expect(nodes[0]?.received).toEqual([])
  })

  it('fail at once where none may be asked for a method', async () => {
    start([{ methods: { refused: ['eth_call'] } }])
    const begun = performance.now()
    await expect(call()).rejects.toMatchObject({ error: { code: -32002 } })
    expect(performance.now() - begun).toBeLessThan(1_000)
  })

  it('remember that one does not know a method', async () => {
    start([{ priority: 9 }, {}])
    nodes[0]!.script = refuses({ code: -32601, message: 'the method eth_call does not exist/is not available' })
    for (let count = 0; count < 5; count++) expect(await call()).toBe('0xb')
    expect(nodes[0]?.received).toHaveLength(1)
  })

  describe('with a shadow', () => {
    beforeEach(() => {
      start([{}, { shadow: 1 }])
      feed.see('b', { isUsable: false, refusal: { reason: 'shadow', detail: '' } })
    })

    it('copy calls to it, never give its answers, and count how they compare', async () => {
      expect(await call()).toBe('0xa')
      await counted('different', 1)
      nodes[1]!.script = says('0xA')
      await call()
      await counted('same', 1)
      nodes[1]!.stop()
      await call()
      await counted('failed', 1)
    })

    it('compare a long answer whose memory was given back meanwhile', async () => {
      const long = `0x${'ab'.repeat(50_000)}`
      nodes[0]!.script = says(long)
      nodes[1]!.script = says(long, 100)
      const { json } = await started!.upstreams.call(CALL)
      if ('transfer' in json.buffer) json.buffer.transfer(0)
      expect(json.length).toBe(0)
      await counted('same', 1)
    })

    it('wait for it never, and send it no more while it hangs', async () => {
      nodes[1]!.script = hangs()
      for (let count = 0; count < 30; count++) expect(await call()).toBe('0xa')
      await untilTrue(() => nodes[1]?.received.length === 16)
      await counted('skipped', 14)
    })

    it('send it nothing that would have an effect, is pending, or is about a block that it lacks', async () => {
      nodes[0]!.script = says(transactionHash(RAW))
      await started!.upstreams.broadcast(JSON.stringify([RAW]))
      nodes[0]!.script = says('0xa')
      await started!.upstreams.call({ ...CALL, pending: true, block: undefined })
      feed.see('b', { head: 99 })
      await call()
      await counted('skipped', 1)
      expect(nodes[1]?.received).toEqual([])
    })

    async function counted(outcome: string, count: number): Promise<void> {
      const line = `upstream_shadow_total{upstream="b",outcome="${outcome}"} ${count}`
      await untilTrue(async () => (await started!.metrics()).includes(line))
    }
  })

  function start(configs: Partial<UpstreamConfig>[]): void {
    started = upstreamsBefore(
      configs.map((config, index) => ({ url: nodes[index]?.url, ...config })),
      feed,
    )
  }

  async function call(): Promise<string> {
    return JSON.parse((await started!.upstreams.call(CALL)).json.toString())
  }
})
