import { RecentValue } from './recent-value.engine.js'

describe(RecentValue, () => {
  it('is read once a second, however many ask', async () => {
    let [now, reads] = [0, 0]
    const recent = new RecentValue(
      async () => ++reads,
      () => now,
    )
    expect(await Promise.all([recent.get(), recent.get()])).toEqual([1, 1])
    now = 999
    expect(await recent.get()).toBe(1)
    now = 1000
    expect(await recent.get()).toBe(2)
  })

  it('is read again at once after a failure', async () => {
    let reads = 0
    const recent = new RecentValue(async () => {
      if (++reads === 1) throw new Error('away')
      return reads
    })
    await expect(recent.get()).rejects.toThrow('away')
    expect(await recent.get()).toBe(2)
  })
})
