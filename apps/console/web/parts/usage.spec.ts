import { LATENCY_BUCKETS } from '@trestle/contracts/eth-rpc/latency'
import fc from 'fast-check'
import { latencyPercentile, percentOf, periodStarts, totalUsage, type UsageEntry, usageByMethod, usageByTime } from './usage.js'

const T5 = '2026-01-31T05:00:00.000Z'
const T6 = '2026-01-31T06:00:00.000Z'
const T7 = '2026-01-31T07:00:00.000Z'
const USAGE = [row(T5, 'eth_call', 2), row(T7, 'eth_call', 3), row(T7, 'eth_chainId', 7), row(T7, 'eth_blockNumber', 7)]

describe(periodStarts, () => {
  it('includes hours without calls', () => {
    expect(periodStarts({ from: T5, to: '2026-01-31T07:00:00.001Z', granularity: 'hour' })).toEqual([T5, T6, T7])
  })

  it('counts days across the end of a month', () => {
    const days = periodStarts({ from: T5, to: '2026-02-01T00:00:01.000Z', granularity: 'day' })
    expect(days).toEqual(['2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'])
  })

  it('leaves out the period that begins at the end', () => {
    expect(periodStarts({ from: T5, to: T6, granularity: 'hour' })).toEqual([T5])
  })

  it('is empty for a range that ends before it begins', () => {
    expect(periodStarts({ from: T7, to: T5, granularity: 'hour' })).toEqual([])
  })

  it('covers every moment of the range exactly once', () => {
    const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 1, 1) })
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 1, max: 5 * 86_400_000 }),
        fc.constantFrom('hour' as const, 'day' as const),
        (from, length, granularity) => {
          const starts = periodStarts({ from: new Date(from).toISOString(), to: new Date(from + length).toISOString(), granularity })
          const size = granularity === 'hour' ? 3_600_000 : 86_400_000
          expect(Date.parse(starts[0]!)).toBeLessThanOrEqual(from)
          expect(Date.parse(starts.at(-1)!) + size).toBeGreaterThanOrEqual(from + length)
          expect(starts.slice(1).every((start, index) => Date.parse(start) - Date.parse(starts[index]!) === size)).toBe(true)
        },
      ),
    )
  })
})

describe(usageByTime, () => {
  it('sums up each hour, with zeros for an empty one', () => {
    expect(usageByTime(USAGE, [T5, T6, T7], 'hour').map(({ calls, computeUnits }) => [calls, computeUnits])).toEqual([
      [2, 20],
      [0, 0],
      [17, 170],
    ])
  })

  it('adds hourly entries to their day', () => {
    const days = ['2026-01-30T00:00:00.000Z', '2026-01-31T00:00:00.000Z']
    expect(usageByTime(USAGE, days, 'day').map(({ calls }) => calls)).toEqual([0, 19])
  })

  it('loses no call of a range', () => {
    const entries = fc.array(fc.record({ hour: fc.integer({ min: 0, max: 47 }), calls: fc.nat(1000) }))
    fc.assert(
      fc.property(entries, fc.constantFrom('hour' as const, 'day' as const), (given, granularity) => {
        const usage = given.map(({ hour, calls }) => ({ time: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(), calls }))
        const starts = periodStarts({ from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z', granularity })
        const summed = usageByTime(usage, starts, granularity).reduce((sum, { calls }) => sum + calls, 0)
        expect(summed).toBe(totalUsage(usage).calls)
      }),
    )
  })
})

describe(usageByMethod, () => {
  it('begins with the most called, equals by name', () => {
    expect(usageByMethod(USAGE).map(({ method, calls }) => [method, calls])).toEqual([
      ['eth_blockNumber', 7],
      ['eth_chainId', 7],
      ['eth_call', 5],
    ])
  })
})

describe(totalUsage, () => {
  it('adds up every number', () => {
    expect(totalUsage(USAGE)).toEqual({ calls: 19, errors: 4, computeUnits: 190, bytesOut: 400, cacheHits: 8, latency: latencies(19) })
  })

  it('takes node usage, which has neither compute units nor latencies', () => {
    const usage = [
      { time: T5, calls: 9, errors: 3, bytesOut: 30 },
      { time: T5, calls: 1 },
    ]
    expect(totalUsage(usage)).toEqual({ calls: 10, errors: 3, bytesOut: 30, computeUnits: 0, cacheHits: 0, latency: [] })
  })

  it('is zero without entries', () => {
    expect(totalUsage([])).toEqual({ calls: 0, errors: 0, bytesOut: 0, computeUnits: 0, cacheHits: 0, latency: [] })
  })
})

describe(latencyPercentile, () => {
  it('is over all calls of several hours and methods', () => {
    const slow = { ...row(T5, 'eth_getLogs', 1), latency: { counts: latencies(0, 1) } }
    const totals = totalUsage([...USAGE, slow])
    expect([latencyPercentile(totals, 50), latencyPercentile(totals, 100)]).toEqual([1.5, 12])
  })

  it('is unknown without calls', () => {
    expect(latencyPercentile(totalUsage([]), 95)).toBeUndefined()
  })
})

describe(percentOf, () => {
  it.each([
    [1, 4, 25],
    [0, 4, 0],
    [4, 4, 100],
    [0, 0, undefined],
  ])('%i of %i is %s percent', (part, whole, expected) => {
    expect(percentOf(part, whole)).toBe(expected)
  })
})

function row(time: string, method: string, calls: number): UsageEntry {
  return { time, method, calls, errors: 1, computeUnits: calls * 10, bytesOut: 100, cacheHits: 2, latency: { counts: latencies(calls) } }
}

/** Calls that took 1 to 2 ms, and calls that took 8 to 16. */
function latencies(quick: number, slow = 0): number[] {
  return Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => ({ 3: quick, 6: slow })[bucket] ?? 0)
}
