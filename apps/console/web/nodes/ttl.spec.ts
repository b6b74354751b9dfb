import { TTLS, ttlSeconds } from './ttl.js'

const NOW = new Date('2026-11-22T00:00:00Z')

describe('The time of a node', () => {
  it('is what is chosen, in seconds', () => {
    expect(TTLS.filter((ttl) => ttl !== 'plan').map((ttl) => ttlSeconds(ttl, NOW, NOW))).toEqual([
      3600, 86_400, 604_800, 2_592_000, 31_536_000,
    ])
  })

  it('is as long as the plan, within what the API takes', () => {
    expect(ttlSeconds('plan', new Date('2026-11-22T02:00:00.500Z'), NOW)).toBe(7201)
    expect(ttlSeconds('plan', NOW, NOW)).toBe(60)
    expect(ttlSeconds('plan', new Date('2090-01-01'), NOW)).toBe(316_224_000)
  })
})
