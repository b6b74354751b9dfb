import fc from 'fast-check'
import { UsageMeter } from './usage-meter.js'

const BUCKETS = 3
const none = () => ({ calls: 0, errors: 0, bytesOut: 0, latency: new Array<number>(BUCKETS).fill(0) })

describe(UsageMeter, () => {
  it('adds up what each method came to, and starts again once that is taken', () => {
    const meter = new UsageMeter<never>(none, () => {})
    count(meter, 'eth_getLogs', { bytesOut: 1000, bucket: 0 })
    count(meter, 'eth_getLogs', { bytesOut: 10, bucket: 2, failed: true })
    count(meter, 'eth_call', { bytesOut: 5 })
    expect(meter.take()).toEqual([
      { method: 'eth_getLogs', calls: 2, errors: 1, bytesOut: 1010, latency: [1, 0, 1] },
      { method: 'eth_call', calls: 1, errors: 0, bytesOut: 5, latency: [0, 0, 0] },
    ])
    expect(meter.take()).toEqual([])
  })

  it('announces the first call after each reading', () => {
    const announced: UsageMeter[] = []
    const meter = new UsageMeter<never>(none, (each) => announced.push(each))
    for (const methods of [['a', 'b', 'a'], ['b']]) {
      for (const method of methods) count(meter, method, { bytesOut: 1 })
      meter.take()
    }
    expect(announced).toEqual([meter, meter])
  })

  it('names whose tokens were presented since the last reading, each once, and not more than a hundred', () => {
    const meter = new UsageMeter<never>(none, () => {})
    for (const caller of [{ sessionId: 'session-1' }, { clientId: 'client-1' }, { sessionId: 'session-1' }, {}]) meter.noteCaller(caller)
    expect(meter.takeActors()).toEqual([{ session: 'session-1' }, { clientKey: 'client-1' }])
    expect(meter.takeActors()).toEqual([])
    for (let i = 0; i < 1000; i++) meter.noteCaller({ sessionId: `session-${i}` })
    expect(meter.takeActors()).toHaveLength(100)
  })

  it('loses nothing, whenever it is read', () => {
    const call = fc.record({ method: fc.constantFrom('a', 'b', 'c'), bytesOut: fc.nat(1_000_000), failed: fc.boolean(), bucket: fc.nat(2) })
    const step = fc.oneof(fc.constant('look' as const), call)
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const meter = new UsageMeter<never>(none, () => {})
        const taken = steps.flatMap((each) => {
          if (each === 'look') return meter.take()
          count(meter, each.method, each)
          return []
        })
        const all = [...taken, ...meter.take()]
        const calls = steps.filter((each) => each !== 'look')
        expect(sum(all.map((each) => each.calls))).toBe(calls.length)
        expect(sum(all.map((each) => each.errors))).toBe(calls.filter(({ failed }) => failed).length)
        for (const name of ['a', 'b', 'c']) {
          const sums = all.filter(({ method }) => method === name)
          const own = calls.filter(({ method }) => method === name)
          expect(sum(sums.map(({ bytesOut }) => bytesOut))).toBe(sum(own.map(({ bytesOut }) => bytesOut)))
          for (let bucket = 0; bucket < BUCKETS; bucket++)
            expect(sum(sums.map(({ latency }) => latency[bucket] ?? 0))).toBe(own.filter((each) => each.bucket === bucket).length)
        }
      }),
    )
  })
})

interface Call {
  readonly bytesOut: number
  readonly bucket?: number
  readonly failed?: boolean
}

function count(meter: UsageMeter, method: string, { bytesOut, bucket, failed = false }: Call): void {
  const sums = meter.of(method)
  sums.calls++
  sums.bytesOut += bytesOut
  if (failed) sums.errors++
  if (bucket !== undefined) sums.latency[bucket] = (sums.latency[bucket] ?? 0) + 1
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
