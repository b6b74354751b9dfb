import { LATENCY_BUCKETS } from '@trestle/contracts/eth-rpc/latency'
import { beginnings, byMethod, byTime, percentile, share, total } from './usage-sums.js'

const T5 = '2026-01-31T05:00:00.000Z'
const T7 = '2026-01-31T07:00:00.000Z'

const USAGE = [row(T5, 'eth_call', 2), row(T7, 'eth_call', 3), row(T7, 'eth_chainId', 7), row(T7, 'eth_blockNumber', 7)]

describe(beginnings, () => {
  it('has the hours in which nothing was called too', () => {
    expect(beginnings({ from: T5, to: '2026-01-31T07:00:00.001Z', granularity: 'hour' })).toEqual([T5, '2026-01-31T06:00:00.000Z', T7])
  })

  it('has days, across the end of a month', () => {
    const days = beginnings({ from: '2026-01-31T05:00:00.000Z', to: '2026-02-01T00:00:01.000Z', granularity: 'day' })
    expect(days).toEqual(['2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'])
  })

  it('leaves out what begins at the end', () => {
    expect(beginnings({ from: T5, to: '2026-01-31T06:00:00.000Z', granularity: 'hour' })).toEqual([T5])
  })
})

describe(byTime, () => {
  it('sums up each hour, and has nothing for an empty one', () => {
    const hours = beginnings({ from: T5, to: '2026-01-31T08:00:00.000Z', granularity: 'hour' })
    expect(byTime(USAGE, hours).map(({ calls, computeUnits }) => [calls, computeUnits])).toEqual([
      [2, 20],
      [0, 0],
      [17, 170],
    ])
  })
})

describe(byMethod, () => {
  it('begins with the most called, equals by name', () => {
    expect(byMethod(USAGE).map(({ method, calls }) => [method, calls])).toEqual([
      ['eth_blockNumber', 7],
      ['eth_chainId', 7],
      ['eth_call', 5],
    ])
  })
})

describe(total, () => {
  it('sums up every figure', () => {
    expect(total(USAGE)).toEqual({ calls: 19, errors: 4, computeUnits: 190, bytesOut: 400, cacheHits: 8, latency: latencies(19) })
  })
})

describe(percentile, () => {
  it('is of all calls of several hours or methods together', () => {
    const slow = { ...row(T5, 'eth_getLogs', 1), latency: { p50: 12, p95: 12, p99: 12, counts: latencies(0, 1) } }
    const sums = total([...USAGE, slow])
    expect([percentile(sums, 50), percentile(sums, 100)]).toEqual([1.5, 12])
  })

  it('has none of nothing', () => {
    expect(percentile(total([]), 95)).toBeUndefined()
  })
})

describe(share, () => {
  it('has none of nothing', () => {
    expect([share(1, 4), share(0, 4), share(0, 0)]).toEqual([25, 0, undefined])
  })
})

function row(time: string, method: string, calls: number) {
  const latency = { p50: 1.5, p95: 1.5, p99: 1.5, counts: latencies(calls) }
  return { time, method, calls, errors: 1, computeUnits: calls * 10, bytesOut: 100, cacheHits: 2, latency }
}

/** So many calls that took 1 to 2 ms, and so many that took 8 to 16. */
function latencies(quick: number, slow = 0): number[] {
  return Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => ({ 3: quick, 6: slow })[bucket] ?? 0)
}
