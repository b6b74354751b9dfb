import { FakeHeadFeed } from '../../test/upstreams/fake-head-feed.js'
import { refuses, ScriptedNode, says } from '../../test/upstreams/scripted-node.js'
import { upstreamsBefore } from '../../test/upstreams/upstreams.js'
import type { UpstreamConfig } from './upstream-config.js'
import { knownMethod } from './upstream-request.js'

const CALL = { method: knownMethod('eth_call'), paramsJson: '[{},"0x64"]', block: 100 }

describe('upstreams whose configuration changes', () => {
  let nodes: ScriptedNode[]
  let feed: FakeHeadFeed
  let started: ReturnType<typeof upstreamsBefore>

  beforeEach(async () => {
    nodes = await Promise.all([ScriptedNode.start(says('0xa')), ScriptedNode.start(says('0xb'))])
    feed = new FakeHeadFeed(['a', 'b'])
    started = upstreamsBefore(
      nodes.map(({ url }) => ({ url })),
      feed,
    )
  })

  afterEach(() => {
    started.close()
    for (const node of nodes) node.stop()
  })

  it('keep their connections and what is known of them where they are reached as before', async () => {
    const [first] = started.upstreams.upstreams
    first?.learn(CALL, 'unsupported')
    change({ a: { priority: 9, weight: 2, rateLimit: 1000, methods: { refused: ['eth_getLogs'] } }, b: {} })
    const [kept] = started.upstreams.upstreams
    expect(kept).toBe(first)
    expect(kept?.config).toMatchObject({ priority: 9, weight: 2 })
    expect(kept?.lacksMethod('eth_call', performance.now())).toBe(true)
    expect([kept?.serves('eth_getLogs'), kept?.serves('eth_call')]).toEqual([false, true])
  })

  it.each([{ headers: { key: 'k' } }, { tls: { ca: undefined } }, { webSocketUrl: 'ws://127.0.0.1:1/' }])(
    'get others where %j changes',
    (members) => {
      const [first, second] = started.upstreams.upstreams
      change({ a: members, b: {} })
      expect(started.upstreams.upstreams[0]).not.toBe(first)
      expect(started.upstreams.upstreams[1]).toBe(second)
    },
  )

  it('finish what they were asked when they are taken away, and are asked nothing else', async () => {
    nodes[0]!.script = says('0xa', 60)
    feed.see('b', { head: 99 })
    change({ a: { priority: 9 }, b: {} })
    const under = started.upstreams.call(CALL)
    change({ b: {} })
    expect((await under).json.toString()).toBe('"0xa"')
    feed.see('b', { head: 100 })
    expect((await started.upstreams.call(CALL)).json.toString()).toBe('"0xb"')
  })

  it('are asked again over others when one that is taken away fails', async () => {
    nodes[0]!.script = refuses({ code: -32000, message: 'shutting down' })
    change({ a: { priority: 9 }, b: {} })
    const under = started.upstreams.call(CALL)
    change({ b: {} })
    expect((await under).json.toString()).toBe('"0xb"')
  })

  function change(configs: Record<string, Partial<UpstreamConfig>>): void {
    const all = Object.entries(configs).map(([name, config]) => ({
      name,
      url: nodes[name === 'a' ? 0 : 1]!.url,
      archive: false,
      priority: 0,
      ...config,
    }))
    started.reconfigure(all)
  }
})
