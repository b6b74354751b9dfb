import { TestTime } from '../../test/test-time.js'
import { FakeHeadFeed } from '../../test/upstreams/fake-head-feed.js'
import { breaksOff, hangs, inTurn, refuses, ScriptedNode, says, sends } from '../../test/upstreams/scripted-node.js'
import { upstreamsBefore } from '../../test/upstreams/upstreams.js'
import type { UpstreamConfig } from './upstream-config.js'
import { UpstreamPool } from './upstream-pool.engine.js'
import { knownMethod, type UpstreamRequest } from './upstream-request.js'

const MISSING_STATE = { code: -32000, message: 'missing trie node 1a2b (path ) state 0x1a2b is not available' }
/** Another one is asked by then, whatever is usual. */
const HEDGE_MS = 2_000

describe(`${UpstreamPool.name}.call`, () => {
  let a: ScriptedNode
  let b: ScriptedNode
  let feed: FakeHeadFeed
  let started: ReturnType<typeof upstreamsBefore>
  // Nothing takes long, however slow the machine is, unless a test says so.
  let time: TestTime

  beforeEach(async () => {
    time = new TestTime()
    time.stop()
    ;[a, b] = await Promise.all([ScriptedNode.start(says('of a')), ScriptedNode.start(says('of b'))])
    start({ priority: 1 })
  })

  afterEach(async () => {
    await started.close()
    for (const node of [a, b]) node.stop()
    time.end()
  })

  it('calls the upstream with the highest priority', async () => {
    expect(await result()).toBe('of a')
    expect(a.received[0]).toMatchObject({ id: 1, method: 'eth_getBalance', params: ['0x00', '0x5'] })
    expect(b.received).toHaveLength(0)
  })

  it.each([
    ['breaks off', breaksOff()],
    ['answers 502', sends('', 502)],
    ['wants to rest', sends('', 429)],
    ['is not paid', sends('{}', 402)],
    ['shows a page', sends('<html></html>')],
    ['answers to something else', sends('{"jsonrpc":"2.0","id":7,"result":"0x1"}')],
    ['answers to nobody', sends('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}')],
    ['answers both ways', sends('{"jsonrpc":"2.0","id":1,"result":"0x1","error":{"code":1,"message":"x"}}')],
    ['has no such block yet', refuses({ code: -32000, message: 'header not found' })],
    ['has no such state any more', refuses(MISSING_STATE)],
    ['does not know the method', refuses({ code: -32601, message: 'the method eth_getBalance does not exist/is not available' })],
    ['has had too many requests', refuses({ code: -32005, message: 'daily request count exceeded, request rate limited' })],
    ['fails', refuses({ code: -32603, message: 'Internal error' })],
    ['has a null for a block we have', says(null)],
  ])('calls the next upstream when one %s', async (_, script) => {
    a.script = script
    expect(await result({ method: knownMethod('eth_getBlockByNumber') })).toBe('of b')
  })

  it('calls the next upstream when one is down', async () => {
    a.stop()
    expect(await result()).toBe('of b')
  })

  it.each([
    ['reverts', { code: 3, message: 'execution reverted: header not found', data: '0x08c379a0' }],
    ['has no funds', { code: -32000, message: 'insufficient funds for gas * price + value' }],
    ['gets wrong params', { code: -32602, message: 'invalid argument 0: hex string without 0x prefix' }],
  ])('passes on the error of a call that %s, and calls no other upstream', async (_, error) => {
    a.script = refuses(error)
    const expected = { member: 'error', by: ['a'], json: Buffer.from(JSON.stringify(error)) }
    expect(await started.upstreams.call(request())).toEqual(expected)
    expect(b.received).toHaveLength(0)
  })

  it('passes on the reply of the first node when no other has a better one', async () => {
    a.script = refuses(MISSING_STATE)
    b.script = sends('', 503)
    const expected = { member: 'error', by: ['a'], json: Buffer.from(JSON.stringify(MISSING_STATE)) }
    expect(await started.upstreams.call(request())).toEqual(expected)
  })

  it('tells which upstreams could not answer, and why, where none did', async () => {
    a.script = refuses({ code: -32005, message: 'the key 1234 has had too many requests: rate limited' })
    b.script = sends('', 503)
    await expect(started.upstreams.call(request())).rejects.toMatchObject({
      attempts: expect.arrayContaining([
        { upstream: 'a', outcome: 'limited' },
        { upstream: 'b', outcome: 'status' },
      ]),
    })
  })

  it('accepts a null that two upstreams report', async () => {
    a.script = b.script = says(null)
    expect(await result({ method: knownMethod('eth_getTransactionByHash'), block: undefined })).toBeNull()
    expect([a.received.length, b.received.length]).toEqual([1, 1])
  })

  it('accepts a null when the other upstream cannot answer', async () => {
    a.script = says(null)
    b.script = refuses({ code: -32602, message: 'what?' })
    expect(await result({ method: knownMethod('eth_getTransactionByHash') })).toBeNull()
  })

  it('rejects a null for a block that exists', async () => {
    a.script = b.script = says(null)
    await expect(started.upstreams.call(request({ method: knownMethod('eth_getBlockByNumber') }))).rejects.toMatchObject({ status: 503 })
  })

  it('does not repeat a call that may have taken effect', async () => {
    a.script = breaksOff()
    await expect(
      started.upstreams.call(request({ method: { ...knownMethod('eth_getBalance'), idempotent: false } })),
    ).rejects.toMatchObject({ status: 503 })
    expect(b.received).toHaveLength(0)
  })

  it('calls the same upstream again when its connection broke and it is the only one', async () => {
    feed.see('b', { isUsable: false })
    a.script = inTurn(breaksOff(), says('again'))
    expect(await result()).toBe('again')
  })

  it.each([
    ['all are broken', sends('', 502)],
    ['all have had too many requests', refuses({ code: 429, message: 'Too many requests' })],
  ])('answers one clear error when %s', async (_, script) => {
    a.script = b.script = script
    await expect(started.upstreams.call(request())).rejects.toMatchObject({ status: 503, error: { code: -32002 } })
  })

  it('answers one clear error when all upstreams hang', async () => {
    a.script = b.script = hangs()
    const failing = expect(started.upstreams.call(request({ timeoutMs: 400 }))).rejects.toMatchObject({
      status: 504,
      error: { code: -32002 },
    })
    await until(() => a.received.length === 1)
    time.pass(399)
    await until(() => b.received.length === 1)
    time.pass(1)
    await failing
  })

  it('answers at once when no upstream is usable', async () => {
    for (const name of ['a', 'b']) feed.see(name, { isUsable: false })
    const later = new Promise((resolve) => setImmediate(resolve, 'later'))
    await expect(Promise.race([started.upstreams.call(request()), later])).rejects.toMatchObject({ status: 503, error: { code: -32002 } })
  })

  it('calls no upstream that lacks the block or is on another chain', async () => {
    feed.see('a', { head: 4 })
    expect(await result()).toBe('of b')
    feed.see('a', { head: 100, isOnOurChain: false })
    expect(await result()).toBe('of b')
    expect(a.received).toHaveLength(0)
  })

  it('waits briefly for an upstream to get the block', async () => {
    const asked = result({ block: 101 })
    feed.see('b', { head: 101 })
    time.pass(20)
    expect(await asked).toBe('of b')
  })

  it('waits for another upstream to get the block when the one that had it dies', async () => {
    a.stop()
    feed.see('b', { head: 4 })
    const asked = result()
    await until(async () => (await started.metrics()).includes('upstream_requests_total{upstream="a",outcome="unreachable"} 1'))
    feed.see('b', { head: 5 })
    time.pass(20)
    expect(await asked).toBe('of b')
  })

  it('does not wait for a block forever', async () => {
    const asked = started.upstreams.call(request({ block: 101, timeoutMs: 200 }))
    time.pass(200)
    await expect(asked).rejects.toMatchObject({ status: 503 })
  })

  it('calls a second upstream while the first is slow, and aborts the slow request', async () => {
    a.script = () => time.pass(HEDGE_MS)
    expect(await result()).toBe('of b')
    await until(() => a.brokenOff === 1)
    expect(await started.metrics()).toContain('upstream_hedges_total 1')
  })

  it('takes the slow answer when the second upstream fails', async () => {
    a.script = slow('late', () => b.received.length === 1 && started.upstreams.upstreams[1]?.health.inFlight === 0)
    b.script = sends('', 502)
    expect(await result()).toBe('late')
  })

  it('does not count an aborted second request as a failure', async () => {
    a.script = slow('after all', () => b.received.length === a.received.length)
    b.script = hangs()
    for (let i = 1; i <= 7; i++) {
      expect(await result()).toBe('after all')
      await until(() => b.brokenOff === i)
    }
    expect(await started.metrics()).toMatch(/upstream_circuit{upstream="b"} 0/)
  })

  it('stops calling an upstream that keeps failing, and returns to it later', async () => {
    a.script = sends('', 500)
    for (let i = 0; i < 10; i++) expect(await result()).toBe('of b')
    expect(a.received.length).toBe(5)
    expect(await started.metrics()).toMatch(/upstream_circuit{upstream="a"} 2/)
    a.script = says('of a')
    expect(await result()).toBe('of b')
    time.pass(1000)
    expect(await result()).toBe('of a')
    expect(await started.metrics()).toMatch(/upstream_circuit{upstream="a"} 0/)
  })

  it('pauses an upstream that asks for it', async () => {
    a.script = sends('', 429, { 'retry-after': '30' })
    for (let i = 0; i < 5; i++) expect(await result()).toBe('of b')
    expect(a.received).toHaveLength(1)
    expect(await started.metrics()).toMatch(/upstream_requests_total{upstream="a",outcome="limited"} 1/)
  })

  it('does not ask an upstream again for state that it lacks', async () => {
    a.script = refuses(MISSING_STATE)
    await result()
    await result({ block: 4 })
    expect(a.received).toHaveLength(1)
    await result({ block: 90 })
    expect(a.received).toHaveLength(2)
  })

  it('prefers an archive for old state', async () => {
    await started.close()
    start({ priority: 1 }, { archive: true })
    expect(await result({ archive: true })).toBe('of b')
  })

  it('aborts its requests when the caller leaves', async () => {
    a.script = b.script = hangs()
    const caller = new AbortController()
    const asking = started.upstreams.call(request({ signal: caller.signal }))
    await until(() => a.received.length === 1)
    caller.abort()
    await expect(asking).rejects.toMatchObject({ error: { code: -32002 } })
    await until(() => a.brokenOff === 1)
    expect(await started.metrics()).toMatch(/upstream_in_flight{upstream="a"} 0/)
  })

  it('answers every call while one of two upstreams is killed', async () => {
    const asked = Array.from({ length: 400 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i))
      return result()
    })
    await until(() => a.received.length >= 20)
    a.stop()
    const answers = await Promise.all(asked)
    expect(answers.filter((answer) => answer !== 'of a' && answer !== 'of b')).toEqual([])
    expect(await result()).toBe('of b')
  })

  function start(...configs: readonly Partial<UpstreamConfig>[]): void {
    feed = new FakeHeadFeed(['a', 'b'])
    started = upstreamsBefore(
      [a, b].map(({ url }, i) => ({ url, ...configs[i] })),
      feed,
    )
  }

  /** Answers so late that a second is asked, and not before this is so. */
  function slow(answer: unknown, isTime: () => boolean): ScriptedNode['script'] {
    return async (call, response) => {
      time.pass(HEDGE_MS)
      await until(isTime)
      says(answer)(call, response)
    }
  }

  async function result(overrides: Partial<UpstreamRequest> = {}): Promise<unknown> {
    const { member, json } = await started.upstreams.call(request(overrides))
    expect(member).toBe('result')
    return JSON.parse(json.toString())
  }
})

function request(overrides: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return { method: knownMethod('eth_getBalance'), paramsJson: '["0x00","0x5"]', block: 5, ...overrides }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}
