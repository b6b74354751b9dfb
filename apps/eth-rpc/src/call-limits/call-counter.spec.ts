import fc from 'fast-check'
import { CallCounter, type CallRate } from './call-counter.js'

const FIVE_A_SECOND: CallRate = { calls: 5, periodMs: 1000 }

describe(CallCounter, () => {
  it('lets as many through at once as the rate, then at the rate', () => {
    const counter = new CallCounter(10)
    expect(taken(counter, 'a', 0, 7)).toBe(5)
    expect(counter.take('a', FIVE_A_SECOND, 0)).toBe(200)
    expect(counter.take('a', FIVE_A_SECOND, 199)).toBe(1)
    expect(counter.take('a', FIVE_A_SECOND, 200)).toBe(0)
    expect(counter.take('a', FIVE_A_SECOND, 200)).toBe(200)
    expect(taken(counter, 'b', 200, 7)).toBe(5)
  })

  it('never lets more than twice the rate through in a period, nor refuses who keeps to it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 }), (pauses) => {
        const counter = new CallCounter(10)
        const admitted: number[] = []
        let now = 0
        for (const pause of pauses) {
          now += pause
          if (counter.take('a', FIVE_A_SECOND, now) === 0) admitted.push(now)
        }
        for (const from of admitted) expect(admitted.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(10)
        if (pauses.every((pause) => pause >= 200)) expect(admitted).toHaveLength(pauses.length)
      }),
    )
  })

  it('counts what other processes let through, ten periods of it at most', () => {
    const counter = new CallCounter(10)
    counter.debit(['a', 4], FIVE_A_SECOND, 0)
    expect(taken(counter, 'a', 0, 7)).toBe(1)
    counter.debit(['a', 1_000_000], FIVE_A_SECOND, 0)
    expect(counter.take('a', FIVE_A_SECOND, 0)).toBeGreaterThan(9_000)
    expect(counter.take('a', FIVE_A_SECOND, 10_000)).toBe(0)
  })

  it('does not let a flood of newcomers free those who are over their rate', () => {
    const counter = new CallCounter(100)
    expect(taken(counter, 'noisy', 0, 5)).toBe(5)
    let admitted = 0
    for (let i = 0; i < 10_000; i++) if (counter.take(`other ${i}`, FIVE_A_SECOND, 1) === 0) admitted++
    expect(counter.take('noisy', FIVE_A_SECOND, 1)).toBeGreaterThan(0)
    expect(counter.size).toBeLessThanOrEqual(101)
    // 99 of their own, and five that all others share.
    expect(admitted).toBe(104)
  })

  it('has room again for newcomers once the others have paused', () => {
    const counter = new CallCounter(100)
    for (let i = 0; i < 1_000; i++) counter.take(`other ${i}`, FIVE_A_SECOND, 0)
    expect(taken(counter, 'late', 1_001, 7)).toBe(5)
    expect(counter.size).toBeLessThanOrEqual(101)
  })

  it('takes no new ones, but goes on with those it has, while there is no room for all projects', () => {
    const counter = new CallCounter(100)
    expect(counter.take('a', FIVE_A_SECOND, 0)).toBe(0)
    for (let i = 0; i < 50; i++) counter.take(`other ${i}`, FIVE_A_SECOND, 0, false)
    expect(counter.size).toBe(2)
  })

  it('forgets what is as good as new', () => {
    const counter = new CallCounter(100)
    for (const key of ['a', 'b']) counter.take(key, FIVE_A_SECOND, 0)
    counter.take('c', FIVE_A_SECOND, 150)
    counter.forgetPast(200)
    expect(counter.size).toBe(1)
  })

  it('reports each call once, where it is a tenth of the rate, also little by little', () => {
    const counter = new CallCounter(100)
    const rate = { calls: 50, periodMs: 1000 }
    for (let i = 0; i < 4; i++) counter.take('little', rate, 0)
    for (let i = 0; i < 9; i++) counter.take('much', rate, 0)
    expect(counter.takeUnreported(10)).toEqual([['much', 9]])
    counter.take('little', rate, 100)
    expect(counter.takeUnreported(10)).toEqual([['little', 5]])
    expect(counter.takeUnreported(10)).toEqual([])
  })

  it('reports no more at once than is asked for, and the rest the next time', () => {
    const counter = new CallCounter(100)
    for (const key of ['a', 'b', 'c']) counter.take(key, FIVE_A_SECOND, 0)
    expect([counter.takeUnreported(2), counter.takeUnreported(2)].flat()).toHaveLength(3)
  })
})

function taken(counter: CallCounter, key: string, now: number, calls: number): number {
  return Array.from({ length: calls }, () => counter.take(key, FIVE_A_SECOND, now)).filter((waitMs) => waitMs === 0).length
}
