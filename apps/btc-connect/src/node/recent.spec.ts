import { jest } from '@jest/globals'
import { ShortCache } from './short-cache.engine.js'

describe(ShortCache, () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  it('makes one call for simultaneous requests, and another one later', async () => {
    let asked = 0
    const recent = new ShortCache<string, number>(20)
    const ask = async () => ++asked
    expect(await Promise.all([recent.get('a', ask), recent.get('a', ask), recent.get('b', ask)])).toEqual([1, 1, 2])
    jest.advanceTimersByTime(19)
    expect(await recent.get('a', ask)).toBe(1)
    jest.advanceTimersByTime(1)
    expect(await recent.get('a', ask)).toBe(3)
  })

  it('does not cache a failure', async () => {
    const recent = new ShortCache<string, number>(60_000)
    await expect(recent.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await recent.get('a', async () => 1)).toBe(1)
  })
})
