import { untilTrue } from '../../test/heads/tracked.js'
import { TestTime } from '../../test/test-time.js'
import { FakeHeadFeed } from '../../test/upstreams/fake-head-feed.js'
import { breaksOff, hangs, type ReceivedCall, refuses, ScriptedNode, says, sends } from '../../test/upstreams/scripted-node.js'
import { upstreamsBefore } from '../../test/upstreams/upstreams.js'
import { transactionHash } from './transaction-hash.js'
import { UpstreamPool } from './upstream-pool.engine.js'

const RAW = '0x02c0'
const HASH = transactionHash(RAW)
const TIMEOUT_MS = 1_000
const LOW_NONCE = { code: -32000, message: 'nonce too low: next nonce 5, tx nonce 4' }

describe(`${UpstreamPool.name}.broadcast`, () => {
  let nodes: ScriptedNode[]
  let started: ReturnType<typeof upstreamsBefore>
  let feed: FakeHeadFeed
  // Nobody is late, however slow the machine is, unless a test says so.
  let time: TestTime

  beforeEach(async () => {
    time = new TestTime()
    time.stop()
    nodes = await Promise.all([1, 2, 3, 4].map(() => ScriptedNode.start(says(HASH))))
    feed = new FakeHeadFeed(['a', 'b', 'c', 'd'])
    started = upstreamsBefore(
      nodes.map(({ url }, i) => ({ url, priority: 9 - i })),
      feed,
      TIMEOUT_MS,
    )
  })

  afterEach(async () => {
    await started.close()
    for (const node of nodes) node.stop()
    time.end()
  })

  it('sends to three nodes at once, once to each', async () => {
    expect(await broadcast()).toEqual({ result: HASH })
    // Every node that was called has been recorded by then.
    await untilTrue(() => inFlight() === 0)
    expect(nodes.map(({ received }) => received.length)).toEqual([1, 1, 1, 0])
    expect(nodes[2]?.received[0]).toMatchObject({ method: 'eth_sendRawTransaction', params: [RAW] })
  })

  it('lets the primary upstream have it before it answers, as that is asked for pending nonces', async () => {
    feed.see('d', { isPrimary: true })
    nodes[3]!.script = says(HASH, 100)
    expect(await broadcast()).toEqual({ result: HASH })
    expect(inFlight()).toBe(0)
    expect(nodes.map(({ received }) => received.length)).toEqual([1, 1, 0, 1])
  })

  it('succeeds when the first node accepts, and lets the other requests finish', async () => {
    script(hangs(), says(HASH), refuses(LOW_NONCE))
    expect(await broadcast()).toEqual({ result: HASH })
    expect(nodes[0]?.brokenOff).toBe(0)
  })

  it('fails on a hash other than its own, or none', async () => {
    script(says('0x12'), says(null), hangs())
    const failing = expect(broadcast()).rejects.toMatchObject({ error: { code: -32002 } })
    await untilTrue(() => inFlight() === 1)
    time.pass(TIMEOUT_MS)
    await failing
  })

  it.each(['already known', 'AlreadyKnown', 'transaction already imported', 'Known transaction'])(
    'succeeds when a node says "%s"',
    async (message) => {
      script(refuses({ code: -32000, message }), hangs(), sends('', 502))
      const { result } = await broadcast()
      expect(result).toMatch(/^0x[0-9a-f]{64}$/)
    },
  )

  it('succeeds when its own nonce is used by itself', async () => {
    script(...[1, 2, 3].map(() => onChain({ hash: HASH })))
    expect((await broadcast()).result).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('is refused when its nonce is used by another transaction', async () => {
    script(...[1, 2, 3, 4].map(() => onChain(null)))
    expect(await broadcast()).toEqual({ error: LOW_NONCE })
  })

  it('passes on the most useful of all refusals', async () => {
    const poor = { code: -32000, message: 'insufficient funds for gas * price + value: have 0 want 1', data: 'x' }
    script(refuses({ code: -32601, message: 'method not found' }), refuses({ code: -32603, message: 'Internal error' }), refuses(poor))
    expect(await broadcast()).toEqual({ error: poor })
  })

  it('passes on the error of nodes for garbage', async () => {
    const error = { code: -32602, message: 'invalid argument 0: json: cannot unmarshal hex string' }
    script(...[1, 2, 3].map(() => refuses(error)))
    expect(await broadcast('["garbage"]')).toEqual({ error })
    expect(await broadcast('[]')).toEqual({ error })
  })

  it('says that it may have been sent when no node replies, and does not send it again', async () => {
    script(breaksOff(), sends('', 502), hangs())
    const failing = expect(broadcast()).rejects.toMatchObject({
      error: { code: -32002, message: expect.stringContaining('may have been sent') },
    })
    await untilTrue(() => inFlight() === 1 && nodes[2]?.received.length === 1)
    time.pass(TIMEOUT_MS)
    await failing
    expect(nodes.map(({ received }) => received.length)).toEqual([1, 1, 1, 0])
  })

  function script(...scripts: ScriptedNode['script'][]): void {
    scripts.forEach((script, i) => {
      ;(nodes[i] as ScriptedNode).script = script
    })
  }

  function inFlight(): number {
    return started.upstreams.upstreams.reduce((sum, { health }) => sum + health.inFlight, 0)
  }

  async function broadcast(paramsJson = JSON.stringify([RAW])): Promise<Record<string, unknown>> {
    const { member, json } = await started.upstreams.broadcast(paramsJson)
    return { [member]: JSON.parse(json.toString()) }
  }
})

/** Refuses the transaction for its nonce, and shows this when it is looked up. */
function onChain(shown: unknown): ScriptedNode['script'] {
  return (call: ReceivedCall, response) => (call.method === 'eth_sendRawTransaction' ? refuses(LOW_NONCE) : says(shown))(call, response)
}
