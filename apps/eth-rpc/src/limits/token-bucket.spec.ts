import { TokenBucket } from './token-bucket.js'

const SHARE = { capacity: 50, rate: 100 }

describe(TokenBucket, () => {
  it('lets through as long as there is something in it', () => {
    const bucket = new TokenBucket(SHARE, 0)
    expect([bucket.take(30, SHARE, 0), bucket.take(30, SHARE, 0), bucket.take(30, SHARE, 0)]).toEqual([0, 0, 100])
    expect(bucket.take(30, SHARE, 99)).toBe(1)
    expect(bucket.take(30, SHARE, 101)).toBe(0)
  })

  it('lets through a call that costs more than it holds, and then waits until that is paid', () => {
    const bucket = new TokenBucket(SHARE, 0)
    expect(bucket.take(250, SHARE, 0)).toBe(0)
    expect(bucket.take(1, SHARE, 0)).toBe(2000)
    expect(bucket.take(1, SHARE, 2001)).toBe(0)
  })

  it('holds no more than its capacity, however long it is left alone', () => {
    const bucket = new TokenBucket(SHARE, 0)
    bucket.take(60, SHARE, 3_600_000)
    expect(bucket.take(1, SHARE, 3_600_000)).toBe(100)
  })

  it('owes what others took', () => {
    const bucket = new TokenBucket(SHARE, 0)
    bucket.debit(150, SHARE, 0)
    expect(bucket.take(1, SHARE, 0)).toBe(1000)
  })

  it('owes others no more than it can pay soon, so that a lower limit does not lock out for long', () => {
    const bucket = new TokenBucket(SHARE, 0)
    bucket.debit(1_000_000, SHARE, 0)
    expect(bucket.take(1, SHARE, 0)).toBe(20_000)
  })

  it('is not disturbed by a clock that is set back', () => {
    const bucket = new TokenBucket(SHARE, 10_000)
    bucket.take(50, SHARE, 10_000)
    expect(bucket.take(1, SHARE, 0)).toBeGreaterThan(0)
    expect(bucket.take(1, SHARE, 100)).toBe(0)
  })
})
