import { Rate } from './rate.js'

describe(Rate, () => {
  it('is the rate since the start', () => {
    const rate = new Rate(1_000)
    expect(rate.add(10, 2_000)).toBe(10)
    expect(rate.add(50, 3_000)).toBe(30)
  })

  it('ignores what is older than a minute', () => {
    const rate = new Rate(0)
    rate.add(1_000_000, 1_000)
    rate.add(60, 61_000)
    rate.add(60, 121_000)
    expect(rate.add(60, 122_000)).toBeCloseTo(120 / 61)
  })

  it('is zero while no time has passed', () => {
    expect(new Rate(5).add(10, 5)).toBe(0)
  })
})
