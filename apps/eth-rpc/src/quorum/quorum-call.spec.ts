import { jest } from '@jest/globals'
import type { UpstreamTransport } from '@trestle/gateway/upstream/transport'
import { TransportFault } from '@trestle/gateway/upstream/transport-fault'
import { Metrics } from '@trestle/runtime/metrics'
import fc from 'fast-check'
import { FakeHeadFeed } from '../../test/upstreams/fake-head-feed.js'
import type { UpstreamClientsService } from '../upstreams/upstream-clients.service.js'
import { UpstreamMetricsService } from '../upstreams/upstream-metrics.service.js'
import { UpstreamPool } from '../upstreams/upstream-pool.engine.js'
import { knownMethod } from '../upstreams/upstream-request.js'
import { QuorumCall } from './quorum-call.engine.js'

const TIMEOUT_MS = 10_000
const TRUTH = '{"number":"0x5","hash":"0xAB","size":"0x1"}'
/** Each honest client has its own way to write it. */
const TRUTHS = [TRUTH, '{"hash":"0xab","number":"0x5","totalDifficulty":"0x0"}', '{ "hash":"0xaB", "number":"0x5", "to":null }']
const LIE = '{"number":"0x5","hash":"0xbad"}'

type Behaviour =
  | { readonly does: 'answer' | 'collude' | 'lie'; readonly afterMs: number; readonly form: number }
  | { readonly does: 'hang' | 'reset' | 'refuse' }

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('answer' as const, 'answer' as const, 'answer' as const, 'collude' as const, 'lie' as const),
      afterMs: fc.oneof(fc.nat(20), fc.nat(9_000)),
      form: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('hang' as const, 'reset' as const, 'refuse' as const) }) },
)

const world = fc.integer({ min: 2, max: 5 }).chain((nodes) =>
  fc.record({
    size: fc.record({ nodes: fc.constant(nodes), agreeing: fc.integer({ min: Math.floor(nodes / 2) + 1, max: nodes }) }),
    upstreams: fc.array(behaviour, { minLength: 1, maxLength: 7 }),
  }),
)

describe(QuorumCall, () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('answers no lie while fewer collude than must agree, whoever is fast, slow or gone', async () => {
    const seen = { truth: 0, none: 0, lie: 0 }
    await fc.assert(
      fc.asyncProperty(world, async ({ size, upstreams }) => {
        const answer = await ask(size, upstreams)
        const countOf = (does: Behaviour['does']) => upstreams.filter((each) => each.does === does).length
        seen[answer]++
        if (countOf('collude') < size.agreeing) expect(answer).not.toBe('lie')
        // All are asked; of those that answer the honest are enough.
        if (upstreams.length <= size.nodes && countOf('answer') >= size.agreeing) expect(answer).toBe('truth')
        if (upstreams.length < size.agreeing) expect(answer).toBe('none')
      }),
      { numRuns: Number(process.env.RUNS ?? 400) },
    )
    expect(Math.min(seen.truth, seen.none, seen.lie)).toBeGreaterThan(0)
  })
})

async function ask(size: { agreeing: number; nodes: number }, upstreams: readonly Behaviour[]): Promise<'truth' | 'lie' | 'none'> {
  const names = upstreams.map((_, index) => `n${index}`)
  const all = upstreams.map((each, index) => ({
    config: { name: names[index], url: '', archive: false, priority: 0 },
    transport: transportOf(each, index),
  }))
  const pool = new UpstreamPool(
    { all } as unknown as UpstreamClientsService,
    new FakeHeadFeed(names.map(String)),
    new UpstreamMetricsService(new Metrics()),
    { CALL_TIMEOUT_MS: TIMEOUT_MS },
  )
  const request = { method: knownMethod('eth_getUncleByBlockNumberAndIndex'), paramsJson: '["0x5","0x0"]', block: 5 }
  const asking = new QuorumCall(pool, request, { size, timeoutMs: TIMEOUT_MS, judge: { judge: () => undefined } }).outcome.then(
    ({ member, json }) => (member === 'error' ? 'none' : json.toString().includes('bad') ? 'lie' : 'truth'),
    () => 'none' as const,
  )
  await jest.advanceTimersByTimeAsync(TIMEOUT_MS + 100)
  return asking
}

function transportOf(behaviour: Behaviour, index: number): Pick<UpstreamTransport, 'send'> {
  return {
    send: (_head, _body, receiver) => {
      if (behaviour.does === 'hang') return
      if (behaviour.does === 'reset') {
        receiver.onError(new TransportFault('reset', 'was reset'))
        return
      }
      const answer = answerOf(behaviour, index)
      setTimeout(
        () => {
          receiver.onHead(200, new Map(), answer.length)
          receiver.onBody(answer)
          receiver.onEnd()
        },
        'afterMs' in behaviour ? behaviour.afterMs : 1,
      )
    },
  }
}

function answerOf(behaviour: Behaviour, index: number): Buffer {
  const results: Partial<Record<Behaviour['does'], string>> = {
    answer: 'form' in behaviour ? TRUTHS[behaviour.form] : undefined,
    collude: LIE,
    lie: `{"number":"0x5","hash":"0xbad${index}"}`,
  }
  const result = results[behaviour.does]
  const outcome = result === undefined ? '"error":{"code":-32000,"message":"header not found"}' : `"result":${result}`
  return Buffer.from(`{"jsonrpc":"2.0","id":1,${outcome}}`)
}
