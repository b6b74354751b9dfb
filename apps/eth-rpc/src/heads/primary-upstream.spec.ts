import { choosePrimary, isUsable, type PrimaryCandidate } from './primary-upstream.js'

const WANTED = { maxLag: 4, head: 100 }

describe(choosePrimary, () => {
  it.each<[string, string, Partial<PrimaryCandidate>[]]>([
    ['the one of the highest priority', 'b', [{ priority: 1 }, { priority: 2 }]],
    ['the highest of those', 'b', [{ head: 100 }, { head: 101 }]],
    ['the fastest of those', 'b', [{ latencyMs: 20 }, { latencyMs: 10 }]],
    ['none that is unsound', 'b', [{ priority: 2, isHealthy: false }, {}]],
    ['none with a budget', 'b', [{ priority: 2, isMetered: true }, {}]],
    ['one with a budget, rather than one that would go back', 'a', [{ isMetered: true }, { head: 99 }]],
    ['none that lags', 'b', [{ priority: 2, head: 95 }, {}]],
    ['none that would go back', 'b', [{ priority: 2, head: 99 }, {}]],
    ['one that would, rather than nobody', 'a', [{ priority: 2, head: 98 }, { head: 99 }]],
  ])('chooses %s', (_, expected, candidates) => {
    expect(choosePrimary(undefined, candidates.map(candidate), WANTED)?.name).toBe(expected)
  })

  it('keeps the current one while it is usable', () => {
    const better = candidate({ priority: 9, head: 104 }, 1)
    expect(choosePrimary('a', [candidate({}, 0), better], WANTED)?.name).toBe('a')
    expect(choosePrimary('a', [candidate({ head: 99 }, 0), better], WANTED)?.name).toBe('b')
    expect(choosePrimary('a', [candidate({ isHealthy: false }, 0), better], WANTED)?.name).toBe('b')
  })

  it('keeps one with a budget until another has its block', () => {
    const metered = candidate({ isMetered: true }, 0)
    const other = candidate({ isMetered: true, priority: 9 }, 2)
    expect(choosePrimary('a', [metered, candidate({ head: 99 }, 1), other], WANTED)?.name).toBe('a')
    expect(choosePrimary('a', [metered, candidate({}, 1), other], WANTED)?.name).toBe('b')
  })

  it('chooses none when none is usable', () => {
    expect(choosePrimary('a', [candidate({ isHealthy: false }, 0)], WANTED)).toBeUndefined()
  })
})

describe(isUsable, () => {
  it('measures the lag against healthy upstreams', () => {
    const stranger = candidate({ head: 9_000, isHealthy: false }, 1)
    expect(isUsable(candidate({}, 0), [candidate({}, 0), stranger], 4)).toBe(true)
  })
})

function candidate(overrides: Partial<PrimaryCandidate>, index: number): PrimaryCandidate {
  return { name: 'abc'[index]!, priority: 1, head: 100, latencyMs: 10, isHealthy: true, ...overrides }
}
