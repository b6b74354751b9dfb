import { setTimeout as delay } from 'node:timers/promises'
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

  it('delays every refusal but the first of a loop', async () => {
    const refusals = new RecentRefusals()
    const timed = async () => {
      const started = performance.now()
      await refusals.slowDown('a')
      return performance.now() - started
    }
    expect(await timed()).toBeLessThan(400)
    expect(await timed()).toBeGreaterThan(450)
    expect(await timed()).toBeGreaterThan(450)
    await delay(1050)
    expect(await timed()).toBeLessThan(400)
  })

  it('holds at most 2,000 requests, and remembers at most 10,000 refusals', async () => {
    const refusals = new RecentRefusals()
    for (let at = 0; at <= 10_000; at++) refusals.remember(`${at}`, 5000, 0)
    expect([refusals.waitOf(['0'], 0), refusals.waitOf(['10000'], 0)]).toEqual([0, 5000])
    const held = Array.from({ length: 2001 }, () => refusals.slowDown('a'))
    const started = performance.now()
    await refusals.slowDown('a')
    expect(performance.now() - started).toBeLessThan(400)
    await Promise.all(held)
  })
})
