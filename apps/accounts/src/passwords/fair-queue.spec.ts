import fc from 'fast-check'
import { FairQueue } from './fair-queue.js'

describe(FairQueue, () => {
  it('gives turns to each who waits, and keeps the order of each', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item[0] ?? '', item)
    expect(Array.from({ length: 7 }, () => queue.shift())).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
    expect(queue.size).toBe(0)
  })

  it('never keeps somebody new out for those who have several in it', () => {
    const queue = new FairQueue<number>()
    for (let at = 0; at < 4; at++) queue.push('flood', at)
    expect(queue.canDisplaceFor('flood')).toBe(false)
    expect(queue.canDisplaceFor('other')).toBe(true)
    expect(queue.displace()).toBe(3)
    queue.push('other', 9)
    expect([queue.shift(), queue.shift()]).toEqual([0, 9])
  })

  it('returns all that it was given, once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('push', 'push', 'shift', 'displace'))), (steps) => {
        const queue = new FairQueue<number>()
        const out: number[] = []
        let given = 0
        for (const [turnOf, step] of steps) {
          if (step === 'push') queue.push(turnOf, given++)
          else out.push(...[step === 'shift' ? queue.shift() : queue.displace()].filter((item) => item !== undefined))
          expect(queue.size).toBe(given - out.length)
        }
        while (queue.size > 0) out.push(queue.shift() ?? -1)
        expect(out.toSorted((a, b) => a - b)).toEqual(Array.from({ length: given }, (_, at) => at))
      }),
    )
  })
})
