import { RecentRefusals } from './recent-refusals.engine.js'

describe(RecentRefusals, () => {
  it('repeats a refusal for a second, while there is still to wait', () => {
    const refusals = new RecentRefusals()
    refusals.remember('a', 5000, 100_000)
    refusals.remember('b', 300, 100_000)
    const waits = (nowMs: number) => [refusals.waitOf(['c'], nowMs), refusals.waitOf(['c', 'a'], nowMs), refusals.waitOf(['b'], nowMs)]
    expect(waits(100_200)).toEqual([0, 4800, 100])
    expect(waits(100_300)).toEqual([0, 4700, 0])
    expect(waits(101_000)).toEqual([0, 0, 0])
  })

  it('forgets what a clock that is set back has not seen yet', () => {
    const refusals = new RecentRefusals()
    refusals.remember('a', 5000, 100_000)
    expect(refusals.waitOf(['a'], 50_000)).toBe(0)
  })

  it('forgets those whose attempts were withdrawn', () => {
    const refusals = new RecentRefusals()
    refusals.remember('a', 5000, 100_000)
    refusals.forget(['a', 'b'])
    expect(refusals.waitOf(['a'], 100_000)).toBe(0)
  })

  it('delays every refusal but the first of a loop', async () => {
    let now = 0
    const pauses: number[] = []
    const pause = async (ms: number) => {
      pauses.push(ms)
      now += ms
    }
    const refusals = new RecentRefusals(() => now, pause)
    for (let i = 0; i < 3; i++) await refusals.slowDown('a')
    expect(pauses).toHaveLength(2)
    for (const ms of pauses) expect(ms >= 500 && ms <= 1500).toBe(true)
    now += 1001
    await refusals.slowDown('a')
    expect(pauses).toHaveLength(2)
  })

  it('holds at most 2,000 requests, and remembers at most 10,000 refusals', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const refusals = new RecentRefusals(
      () => 0,
      () => promise,
    )
    for (let at = 0; at <= 10_000; at++) refusals.remember(`${at}`, 5000, 0)
    expect([refusals.waitOf(['0'], 0), refusals.waitOf(['10000'], 0)]).toEqual([0, 5000])
    // The first is not held.
    const held = Array.from({ length: 2001 }, () => refusals.slowDown('a'))
    await refusals.slowDown('a')
    resolve()
    await Promise.all(held)
  })
})
