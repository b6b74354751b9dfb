import type { UpstreamSight } from '../heads/head-feed.js'
import { type Candidate, chooseUpstream, type Needs } from './choice.js'
import { Health } from './health.js'
import type { UpstreamConfig } from './upstream.js'

describe(chooseUpstream, () => {
  it('takes the highest priority, then the next', () => {
    const [a, b] = [candidate('a'), candidate('b', { priority: 1 })]
    expect(choose([a, b])).toBe(b)
    expect(choose([a, b], {}, [b])).toBe(a)
    expect(choose([a, b], {}, [a, b])).toBeUndefined()
  })

  it.each([
    ['is not usable', { usable: false }],
    ['is on another chain', { agrees: false }],
    ['has not got the block', { head: 9 }],
  ])('takes none that %s', (_, sight) => {
    expect(choose([candidate('a')], { block: 10 }, [], { a: sight })).toBeUndefined()
  })

  it('takes none that nobody has seen', () => {
    expect(chooseUpstream({ candidates: [candidate('a')], sights: new Map(), now: 0, random: () => 0 }, { method: {} }, [])).toBeUndefined()
  })

  it('takes none that rests', () => {
    const a = candidate('a')
    a.health.began(0)
    a.health.limited(0, 100)
    expect(choose([a])).toBeUndefined()
  })

  it('takes a banned one only when there is no other', () => {
    const [a, b] = [candidate('a', { priority: 100 }), candidate('b')]
    for (let i = 0; i < 5; i++) {
      a.health.began(0)
      a.health.failed(0)
    }
    expect(choose([a, b])).toBe(b)
    expect(choose([a, b], {}, [b])).toBe(a)
  })

  it('takes an archive for old state, before the priority', () => {
    const [a, b] = [candidate('a', { priority: 9 }), candidate('b', { archive: true })]
    expect(choose([a, b], { archive: true })).toBe(b)
    expect(choose([a, b])).toBe(a)
  })

  it('takes one that has lost the state last, for what reads state', () => {
    const [a, b] = [candidate('a', { priority: 9 }), candidate('b')]
    a.lacksStateAt = (block) => block <= 50
    expect(choose([a, b], { block: 50, method: { state: true } })).toBe(b)
    expect(choose([a, b], { block: 51, method: { state: true } })).toBe(a)
    expect(choose([a, b], { block: 50 })).toBe(a)
  })

  it('takes the less loaded of two', () => {
    const all = ['a', 'b', 'c'].map((name) => candidate(name))
    all[0]?.health.began(0)
    expect([0, 0.34, 0.67].map((chance) => choose(all, {}, [], {}, chance)?.config.name)).toEqual(['b', 'b', 'c'])
  })
})

function choose(
  candidates: Candidate[],
  wanted: Partial<Needs> = {},
  tried: Candidate[] = [],
  seen: Record<string, Partial<UpstreamSight>> = {},
  chance = 0,
) {
  const sights = new Map(
    candidates.map(({ config: { name } }) => [name, { name, head: 100, leads: false, agrees: true, usable: true, ...seen[name] }]),
  )
  return chooseUpstream({ candidates, sights, now: 0, random: () => chance }, { method: {}, ...wanted }, tried)
}

function candidate(name: string, overrides: Partial<UpstreamConfig> = {}): Candidate {
  return { config: { name, url: '', archive: false, priority: 0, ...overrides }, health: new Health(), lacksStateAt: () => false }
}
