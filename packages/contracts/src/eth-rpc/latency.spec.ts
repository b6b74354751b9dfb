import fc from 'fast-check'
import { LATENCY_BOUNDS_MS, LATENCY_BUCKETS, latencyBucketOf, latencyQuantile, sumLatencyCounts } from './latency.js'

const latency = fc.oneof(
  fc.double({ min: 0, max: 120_000, noNaN: true }),
  fc.double({ min: 0, max: 2, noNaN: true }),
  fc.constantFrom(...LATENCY_BOUNDS_MS),
)
const latencies = fc.array(latency, { minLength: 1, maxLength: 200 })
const part = fc.oneof(fc.constantFrom(0.5, 0.95, 0.99, 1), fc.double({ min: 0, max: 1, noNaN: true }))

describe(latencyBucketOf, () => {
  it('is the first bucket that ends later', () => {
    fc.assert(
      fc.property(latency, (ms) => {
        const first = LATENCY_BOUNDS_MS.findIndex((bound) => ms < bound)
        expect(latencyBucketOf(ms)).toBe(first === -1 ? LATENCY_BUCKETS - 1 : first)
      }),
    )
  })

  it.each([
    [0, 0],
    [0.249, 0],
    [0.25, 1],
    [1, 3],
    [16_383.9, 16],
    [16_384, 17],
    [10 ** 9, 17],
  ])('puts %d ms into bucket %d', (ms, bucket) => {
    expect(latencyBucketOf(ms)).toBe(bucket)
  })
})

describe(latencyQuantile, () => {
  it('is in the bucket of the true quantile', () => {
    fc.assert(
      fc.property(latencies, part, (all, q) => {
        const sorted = all.toSorted((a, b) => a - b)
        const truth = sorted[Math.max(1, Math.ceil(all.length * q)) - 1] as number
        expect(latencyBucketOf(latencyQuantile(counted(all), q) as number)).toBe(latencyBucketOf(truth))
      }),
    )
  })

  it('is no less for a larger part of the calls', () => {
    fc.assert(
      fc.property(latencies, part, part, (all, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)].map((q) => latencyQuantile(counted(all), q) as number)
        expect(less).toBeLessThanOrEqual(more as number)
      }),
    )
  })

  it('spreads the calls of a bucket evenly', () => {
    const four = counted([1, 1.1, 1.2, 1.3])
    expect([0.25, 0.5, 0.75, 1].map((q) => latencyQuantile(four, q))).toEqual([1.125, 1.375, 1.625, 1.875])
  })

  it('is nothing where nothing was counted', () => {
    expect(latencyQuantile([], 0.5)).toBeNull()
    expect(latencyQuantile(counted([]), 0.99)).toBeNull()
  })
})

describe(sumLatencyCounts, () => {
  it('counts what both have counted, wherever the calls were made', () => {
    fc.assert(
      fc.property(latencies, latencies, (one, other) => {
        expect(sumLatencyCounts(counted(one), counted(other))).toEqual(counted([...one, ...other]))
      }),
    )
  })

  it('takes nothing for zeros', () => {
    expect(sumLatencyCounts([], counted([3]))).toEqual(counted([3]))
  })
})

function counted(all: readonly number[]): number[] {
  const counts = new Array<number>(LATENCY_BUCKETS).fill(0)
  for (const ms of all) counts[latencyBucketOf(ms)]!++
  return counts
}
