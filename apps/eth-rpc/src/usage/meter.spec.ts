import { LATENCY_BUCKETS, latencyBucketOf } from '@trestle/contracts/eth-rpc/latency'
import fc from 'fast-check'
import { ProjectMeter } from './meter.js'

const METHODS = [{ name: 'eth_call' }, { name: 'eth_chainId' }, { name: 'eth_getLogs' }]

describe(ProjectMeter, () => {
  it('adds up what each method came to, and begins anew once that is taken', () => {
    const meter = new ProjectMeter(METHODS, () => {})
    meter.count(2, { computeUnits: 75, bytesOut: 1000, failed: false, cached: true, ms: 0.1 })
    meter.count(2, { computeUnits: 75, bytesOut: 10, failed: true, cached: false, ms: 20_000 })
    meter.count(0, { computeUnits: 26, bytesOut: 0, failed: false, cached: false, ms: undefined })
    meter.addBytes(0, 5)
    expect(meter.take()).toEqual([
      { method: 'eth_call', calls: 1, errors: 0, computeUnits: 26, bytesOut: 5, cacheHits: 0, latency: latencies() },
      { method: 'eth_getLogs', calls: 2, errors: 1, computeUnits: 150, bytesOut: 1010, cacheHits: 1, latency: latencies(0.1, 20_000) },
    ])
    expect(meter.take()).toEqual([])
  })

  it('tells of the first call after each time', () => {
    const told: ProjectMeter[] = []
    const meter = new ProjectMeter(METHODS, (each) => told.push(each))
    for (const calls of [3, 2]) {
      for (let i = 0; i < calls; i++) meter.count(1, { computeUnits: 0, bytesOut: 1, failed: false, cached: false, ms: 1 })
      meter.take()
    }
    expect(told).toEqual([meter, meter])
  })

  it('loses nothing, whenever it is looked at', () => {
    const call = fc.record({ index: fc.nat(2), bytesOut: fc.nat(1_000_000), failed: fc.boolean(), ms: fc.nat(100_000) })
    const step = fc.oneof(fc.constant('look' as const), call)
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const meter = new ProjectMeter(METHODS, () => {})
        const taken = steps.flatMap((each) => {
          if (each === 'look') return meter.take()
          meter.count(each.index, { ...each, computeUnits: 10, cached: false })
          return []
        })
        const all = [...taken, ...meter.take()]
        const calls = steps.filter((each) => each !== 'look')
        expect(sum(all.map((each) => each.calls))).toBe(calls.length)
        expect(sum(all.map((each) => each.bytesOut))).toBe(sum(calls.map((each) => each.bytesOut)))
        for (const [index, { name }] of METHODS.entries()) {
          const counts = all.filter(({ method }) => method === name).map(({ latency }) => latency)
          const times = calls.filter((each) => each.index === index).map(({ ms }) => ms)
          expect(latencies().map((_, bucket) => sum(counts.map((each) => each[bucket] as number)))).toEqual(latencies(...times))
        }
        expect(sum(all.map((each) => each.errors))).toBe(calls.filter((each) => each.failed).length)
      }),
    )
  })
})

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function latencies(...times: number[]): number[] {
  const counts = new Array<number>(LATENCY_BUCKETS).fill(0)
  for (const ms of times) counts[latencyBucketOf(ms)]!++
  return counts
}
