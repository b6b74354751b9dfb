import { setTimeout as delay } from 'node:timers/promises'
import type { QuorumSize } from '@trestle/contracts/eth-rpc/quorum'
import { FakeHeadFeed } from '../../test/upstreams/fake-head-feed.js'
import { closes, hangs, refuses, ScriptedNode, says, sends } from '../../test/upstreams/scripted-node.js'
import { upstreamsBefore } from '../../test/upstreams/upstreams.js'
import { CallAbort } from '../call-signal.js'
import { knownMethod, type UpstreamRequest } from '../upstreams/upstream-request.js'
import { QuorumCall } from './quorum-call.engine.js'
import { QuorumUpstreams } from './quorum-upstreams.engine.js'

const [TRUTH, LIE] = ['0x7', '0xbad']
const TWO_OF_THREE = { agreeing: 2, nodes: 3 }
const TIMEOUT_MS = 5_000
/** Longer than a reorganization may be why nodes differ. */
const JUDGED_MS = 3_200

describe(QuorumCall, () => {
  let nodes: ScriptedNode[]
  let feed: FakeHeadFeed
  let started: ReturnType<typeof upstreamsBefore>
  let quorums: QuorumUpstreams
  let liars: string[]

  beforeEach(async () => {
    nodes = await Promise.all(Array.from({ length: 4 }, () => ScriptedNode.start(says(TRUTH))))
    start(3)
  })
  afterEach(async () => {
    await started.close()
    for (const node of nodes) node.stop()
  })

  it('asks as many nodes as are wanted, at once, and answers as they agree', async () => {
    nodes[0]!.script = says(TRUTH, 50)
    nodes[1]!.script = says(TRUTH, 50)
    expect(await result()).toBe(TRUTH)
    expect(nodes.map(({ received }) => received.length)).toEqual([1, 1, 1, 0])
    expect(await started.metrics()).toContain('eth_rpc_quorum_calls_total{outcome="agreed"} 1')
  })

  it('asks no more than are wanted where there are more', async () => {
    await restart(4)
    await result({}, { agreeing: 2, nodes: 2 })
    await delay(20)
    expect(nodes.reduce((sum, { received }) => sum + received.length, 0)).toBe(2)
  })

  it.each([0, 1, 2])('never answers the lie of one of three, however fast it is: %d', async (liar) => {
    for (const [index, node] of nodes.entries()) node.script = index === liar ? says(LIE) : says(TRUTH, 50)
    expect(await result()).toBe(TRUTH)
  })

  it.each([
    ['first', 0],
    ['late', 400],
  ])('names a liar that answers %s, puts it aside and forgets its answers', async (_, afterMs) => {
    for (const node of nodes) node.script = says(TRUTH, 100)
    nodes[0]!.script = says(LIE, afterMs)
    expect(await result()).toBe(TRUTH)
    await delay(JUDGED_MS + afterMs)
    expect(liars).toEqual(['a'])
    const metrics = await started.metrics()
    expect(metrics).toContain('upstream_outvoted_total{upstream="a"} 1')
    expect(metrics).not.toMatch(/upstream_outvoted_total{upstream="[bc]"}/)
    expect(metrics).toMatch(/upstream_circuit{upstream="a"} 2\n.*"b"} 0\n.*"c"} 0/)
  })

  it('does not wait for one that hangs', async () => {
    nodes[0]!.script = hangs()
    const begun = performance.now()
    expect(await result()).toBe(TRUTH)
    expect(performance.now() - begun).toBeLessThan(1_500)
  })

  it('asks another in place of one that hangs, where all must agree', async () => {
    await restart(4)
    feed.see('d', { isUsable: false })
    nodes[0]!.script = hangs()
    const asked = result({}, { agreeing: 3, nodes: 3 })
    await delay(100)
    feed.see('d', { isUsable: true })
    expect(await asked).toBe(TRUTH)
    expect(nodes[3]!.received).toHaveLength(1)
  })

  it.each([
    ['is down', closes()],
    ['answers 502', sends('', 502)],
    ['no longer has the state', refuses({ code: -32000, message: 'missing trie node 12 (path ) state 0x12 is not available' })],
  ])('asks another in place of one that %s', async (_, script) => {
    await restart(4)
    nodes[0]!.script = script
    for (let asked = 0; asked < 4; asked++) expect(await result({}, { agreeing: 3, nodes: 3 })).toBe(TRUTH)
  })

  it('agrees with nothing that can be read in two ways', async () => {
    for (const node of nodes) node.script = sends('{"jsonrpc":"2.0","id":1,"result":{"a":"0x7"}}', 200)
    nodes[0]!.script = sends('{"jsonrpc":"2.0","id":1,"result":{"a":"0x1","a":"0x7"}}')
    for (let asked = 0; asked < 5; asked++) expect((await ask()).json.toString()).toBe('{"a":"0x7"}')
    nodes[1]!.script = sends('', 502)
    await expect(ask()).rejects.toMatchObject({ status: 503 })
  })

  it('says how many agree of how many were asked', async () => {
    nodes[0]!.script = says(LIE)
    nodes[1]!.script = says('0xdead')
    await expect(ask()).rejects.toMatchObject({
      status: 503,
      error: {
        code: -32002,
        message: '1 of the 3 nodes that were asked agree, and 2 must',
        data: { asked: 3, answered: 3, agreeing: 1, needed: 2 },
      },
    })
    expect(await started.metrics()).toContain('eth_rpc_quorum_calls_total{outcome="disagreed"} 1')
    expect(await started.metrics()).not.toContain('upstream_outvoted_total{')
  })

  it('says so when the time is over', async () => {
    nodes[0]!.script = nodes[1]!.script = hangs()
    await expect(ask({ timeoutMs: 300 })).rejects.toMatchObject({ status: 504, error: { code: -32002, data: { answered: 1, needed: 2 } } })
  })

  it('is unavailable at once where too few can be asked', async () => {
    for (const name of ['a', 'b']) feed.see(name, { isUsable: false })
    const begun = performance.now()
    await expect(ask()).rejects.toMatchObject({ status: 503, error: { message: '2 of 3 nodes must agree, and 1 can be asked now' } })
    expect(performance.now() - begun).toBeLessThan(500)
  })

  it('goes on with those that are left while enough can agree', async () => {
    feed.see('a', { isUsable: false })
    expect(await result()).toBe(TRUTH)
    nodes[1]!.script = says(LIE)
    await expect(ask()).rejects.toMatchObject({ status: 503 })
  })

  it('waits for nodes that lag to have the block, so that all are asked the same', async () => {
    for (const name of ['a', 'b']) feed.see(name, { head: 99 })
    const asked = result({ block: 100 })
    await delay(100)
    expect(nodes[0]!.received).toHaveLength(0)
    for (const name of ['a', 'b']) feed.see(name, { head: 100 })
    expect(await asked).toBe(TRUTH)
  })

  it('takes reverts with the same data for the same answer, whatever their words', async () => {
    nodes[0]!.script = refuses({ code: 3, message: 'execution reverted: no', data: '0x08C379a0' })
    nodes[1]!.script = refuses({ code: -32015, message: 'VM execution error.', data: 'Reverted 0x08c379a0' })
    nodes[2]!.script = says('0x')
    const { member, json } = await ask({ method: knownMethod('eth_call') })
    expect([member, JSON.parse(json.toString()).data.toLowerCase()]).toEqual(['error', expect.stringContaining('0x08c379a0')])
  })

  it('answers the error that all have', async () => {
    for (const node of nodes) node.script = refuses({ code: -32000, message: 'header not found' })
    expect((await ask()).member).toBe('error')
  })

  it('believes two of three that lie the same, and not where three must agree', async () => {
    nodes[0]!.script = nodes[1]!.script = says(LIE)
    expect(await result()).toBe(LIE)
    await expect(ask({}, { agreeing: 3, nodes: 3 })).rejects.toMatchObject({ status: 503 })
  })

  it('does not take a liar for right because nothing contradicts what its answer is about', async () => {
    const check = (json: Buffer) => (json.toString().includes(LIE) ? ('wrong' as const) : undefined)
    nodes[0]!.script = nodes[1]!.script = says(LIE)
    await expect(ask({ check })).rejects.toMatchObject({ status: 503, error: { data: { asked: 3, needed: 2 } } })
  })

  it('believes no logs where one that answers later has some', async () => {
    const method = knownMethod('eth_getLogs')
    const check = (json: Buffer) => (json.toString() === '[]' ? ('early' as const) : undefined)
    nodes[0]!.script = nodes[1]!.script = says([])
    nodes[2]!.script = says([{ data: '0x' }], 50)
    await expect(ask({ method, check })).rejects.toMatchObject({ error: { data: { agreeing: 2 } } })
    nodes[2]!.script = says([])
    expect(await ask({ method, check })).toMatchObject({ doubtful: true })
  })

  it('searches logs in halves where a node refuses the range', async () => {
    nodes[0]!.script = nodes[1]!.script = ({ params }, response) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
      if (fromBlock === toBlock) says([{ data: fromBlock }])({} as never, response)
      else refuses({ code: -32012, message: 'block range too large' })({} as never, response)
    }
    nodes[2]!.script = sends('', 502)
    const { json } = await quorums.of(TWO_OF_THREE).logs({ fromBlock: 1, toBlock: 2 }, { blocks: 10 })
    expect(JSON.parse(json.toString())).toEqual([{ data: '0x1' }, { data: '0x2' }])
  })

  it('ends its requests when the caller leaves', async () => {
    for (const node of nodes) node.script = hangs()
    const signal = new CallAbort()
    const asking = ask({ signal })
    await until(() => nodes.slice(0, 3).every(({ received }) => received.length === 1))
    signal.abort()
    await expect(asking).rejects.toMatchObject({ error: { code: -32002 } })
    await until(() => nodes.slice(0, 3).every(({ brokenOff }) => brokenOff === 1))
  })

  function start(count: number): void {
    feed = new FakeHeadFeed(['a', 'b', 'c', 'd'].slice(0, count))
    started = upstreamsBefore(
      nodes.slice(0, count).map(({ url }) => ({ url })),
      feed,
    )
    const found: string[] = []
    liars = found
    quorums = new QuorumUpstreams(started.upstreams, feed.chain, { timeoutMs: TIMEOUT_MS, onLiar: (name) => found.push(name) })
  }

  async function restart(count: number): Promise<void> {
    await started.close()
    start(count)
  }

  function ask(overrides: Partial<UpstreamRequest> = {}, size: QuorumSize = TWO_OF_THREE) {
    return quorums.of(size).call({ method: knownMethod('eth_getBalance'), paramsJson: '["0x00","0x5"]', block: 5, ...overrides })
  }

  async function result(overrides: Partial<UpstreamRequest> = {}, size?: QuorumSize): Promise<unknown> {
    const { member, json } = await ask(overrides, size)
    expect(member).toBe('result')
    return JSON.parse(json.toString())
  }
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5)
}
