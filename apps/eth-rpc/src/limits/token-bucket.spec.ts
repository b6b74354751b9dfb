import { TokenBucket } from './token-bucket.js'

const SHARE = { capacity: 50, rate: 100 }

describe(TokenBucket, () => {
  it('admits calls while it is not empty', () => {
    const bucket = new TokenBucket(SHARE, 0)
    expect([bucket.take(30, SHARE, 0), bucket.take(30, SHARE, 0), bucket.take(30, SHARE, 0)]).toEqual([0, 0, 100])
    expect(bucket.take(30, SHARE, 99)).toBe(1)
    expect(bucket.take(30, SHARE, 101)).toBe(0)
  })

  it('admits a call that costs more than it holds, then refuses until that is paid back', () => {
    const bucket = new TokenBucket(SHARE, 0)
    expect(bucket.take(250, SHARE, 0)).toBe(0)
    expect(bucket.take(1, SHARE, 0)).toBe(2000)
    expect(bucket.take(1, SHARE, 2001)).toBe(0)
  })

  it('never holds more than its capacity', () => {
    const bucket = new TokenBucket(SHARE, 0)
    bucket.take(60, SHARE, 3_600_000)
    expect(bucket.take(1, SHARE, 3_600_000)).toBe(100)
  })

  it('owes what other processes took', () => {
    const bucket = new TokenBucket(SHARE, 0)
    bucket.debit(150, SHARE, 0)
    expect(bucket.take(1, SHARE, 0)).toBe(1000)
  })

  it('owes no more than it can repay soon, so that a lowered limit does not block callers for long', () => {
    const bucket = new TokenBucket(SHARE, 0)
    bucket.debit(1_000_000, SHARE, 0)
    expect(bucket.take(1, SHARE, 0)).toBe(20_000)
  })

  it('tolerates a clock that is set back', () => {
    const bucket = new TokenBucket(SHARE, 10_000)
    bucket.take(50, SHARE, 10_000)
    expect(bucket.take(1, SHARE, 0)).toBeGreaterThan(0)
    expect(bucket.take(1, SHARE, 100)).toBe(0)
  })
})
