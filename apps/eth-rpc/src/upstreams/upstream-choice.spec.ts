import type { UpstreamStatus } from '../heads/head-feed.js'
import { isServedBy } from './method-rules.js'
import { chooseUpstream, type UpstreamCandidate, type UpstreamNeeds } from './upstream-choice.js'
import type { UpstreamConfig } from './upstream-config.js'
import { UpstreamHealth } from './upstream-health.js'

describe(chooseUpstream, () => {
  it('chooses the highest priority, then the next', () => {
    const [a, b] = [candidate('a'), candidate('b', { priority: 1 })]
    expect(choose([a, b])).toBe(b)
    expect(choose([a, b], {}, [b])).toBe(a)
    expect(choose([a, b], {}, [a, b])).toBeUndefined()
  })

  it.each([
    ['is not usable', { isUsable: false }],
    ['is on another chain', { isOnOurChain: false }],
    ['has not got the block', { head: 9 }],
  ])('chooses none that %s', (_, status) => {
    expect(choose([candidate('a')], { block: 10 }, [], { a: status })).toBeUndefined()
  })

  it('chooses none without a status', () => {
    expect(
      chooseUpstream({ candidates: [candidate('a')], statuses: new Map(), now: 0, random: () => 0 }, { method: { name: 'eth_call' } }, []),
    ).toBeUndefined()
  })

  it('chooses none that is paused', () => {
    const a = candidate('a')
    a.health.began(0)
    a.health.limited(0, 100)
    expect(choose([a])).toBeUndefined()
  })

  it('chooses one with an open circuit only when there is no other', () => {
    const [a, b] = [candidate('a', { priority: 100 }), candidate('b')]
    for (let i = 0; i < 5; i++) {
      a.health.began(0)
      a.health.failed(0)
    }
    expect(choose([a, b])).toBe(b)
    expect(choose([a, b], {}, [b])).toBe(a)
  })

  it('prefers an archive for old state over the priority', () => {
    const [a, b] = [candidate('a', { priority: 9 }), candidate('b', { archive: true })]
    expect(choose([a, b], { archive: true })).toBe(b)
    expect(choose([a, b])).toBe(a)
  })

  it('chooses one that lacks the state last', () => {
    const [a, b] = [candidate('a', { priority: 9 }), candidate('b')]
    a.lacksStateAt = (block) => block <= 50
    expect(choose([a, b], { block: 50, method: { name: 'eth_call', readsState: true } })).toBe(b)
    expect(choose([a, b], { block: 51, method: { name: 'eth_call', readsState: true } })).toBe(a)
    expect(choose([a, b], { block: 50 })).toBe(a)
  })

  it('chooses one that does not know the method last', () => {
    const [a, b] = [candidate('a', { priority: 9 }), candidate('b')]
    a.lacksMethod = (name) => name === 'debug_traceTransaction'
    expect(choose([a, b], { method: { name: 'debug_traceTransaction' } })).toBe(b)
    expect(choose([a, b], { method: { name: 'debug_traceTransaction' } }, [b])).toBe(a)
    expect(choose([a, b], { method: { name: 'debug_traceCall' } })).toBe(a)
  })

  it('reads what is pending only where what was sent is known, if it is known anywhere', () => {
    const [a, b] = [{ ...candidate('a', { priority: 9 }), unawareSince: 5 }, candidate('b')]
    const needs = { pending: true, method: { name: 'eth_getTransactionCount', readsState: true as const } }
    expect(choose([a, b], needs)).toBe(b)
    expect(choose([a, b], needs, [b])).toBeUndefined()
    expect(choose([a, b], needs, [], { b: { isUsable: false } })).toBe(a)
    expect(choose([a, { ...b, unawareSince: 6 }], needs, [a])).toBeUndefined()
    expect(choose([a, b], needs, [a])).toBe(b)
    expect(choose([a, b], { pending: true, method: { name: 'eth_sendRawTransaction' } })).toBe(a)
    expect(choose([a, b])).toBe(a)
  })

  it('chooses one with a budget only where no other can answer, and none whose budget is used up', () => {
    const budget = { name: 'b', perMonth: 1 }
    const [a, b] = [candidate('a', { priority: 100, archive: true, budget }), candidate('b')]
    expect(choose([a, b], { archive: true, pending: true }, [], { a: { isPrimary: true } })).toBe(b)
    expect(choose([a, b], {}, [b])).toBe(a)
    expect(choose([{ ...a, isSpent: true }, b], {}, [b])).toBeUndefined()
    b.lacksStateAt = () => true
    expect(choose([a, b], { block: 50, method: { name: 'eth_call', readsState: true } })).toBe(a)
    b.lacksStateAt = () => false
    b.lacksMethod = () => true
    expect(choose([a, b])).toBe(a)
    expect(choose([a, candidate('c', { firstBlock: 60 })], { block: 50 })).toBe(a)
  })

  it('chooses the less loaded of two', () => {
    const all = ['a', 'b', 'c'].map((name) => candidate(name))
    all[0]?.health.began(0)
    expect([0, 0.34, 0.67].map((chance) => choose(all, {}, [], {}, chance)?.config.name)).toEqual(['b', 'b', 'c'])
  })

  it('chooses none that has had its calls', () => {
    const [a, b] = [candidate('a', { priority: 9 }), candidate('b')]
    a.health.paceUntil(1)
    expect(choose([a, b])).toBe(b)
    a.health.paceUntil(0)
    expect(choose([a, b])).toBe(a)
  })

  it('chooses none that may not be asked for the method', () => {
    const [a, b] = [candidate('a', { priority: 9, methods: { refused: ['eth_getLogs'] } }), candidate('b')]
    expect(choose([a, b], { method: { name: 'eth_getLogs' } })).toBe(b)
    expect(choose([a, b], { method: { name: 'eth_getLogs' } }, [b])).toBeUndefined()
    expect(choose([a, b])).toBe(a)
  })

  it('chooses one without the first block that is needed last', () => {
    const [a, b] = [candidate('a', { priority: 9, firstBlock: 50 }), candidate('b')]
    expect(choose([a, b], { block: 50 })).toBe(a)
    expect(choose([a, b], { block: 49 })).toBe(b)
    expect(choose([a, b], { fromBlock: 49, block: 60 })).toBe(b)
    expect(choose([a, b], { block: 49 }, [b])).toBe(a)
    expect(choose([a, b])).toBe(a)
  })

  it('shares calls by weight over cost among those of one priority', () => {
    const all = [candidate('a', { weight: 6, cost: 2 }), candidate('b'), candidate('c', { priority: -1, weight: 1000 })]
    const names = Array.from({ length: 100 }, (_, index) => choose(all, {}, [], {}, index / 100)?.config.name)
    expect(['a', 'b', 'c'].map((name) => names.filter((each) => each === name).length)).toEqual([75, 25, 0])
  })
})

function choose(
  candidates: UpstreamCandidate[],
  wanted: Partial<UpstreamNeeds> = {},
  tried: UpstreamCandidate[] = [],
  seen: Record<string, Partial<UpstreamStatus>> = {},
  chance = 0,
) {
  const statuses = new Map(
    candidates.map(({ config: { name } }) => [
      name,
      { name, head: 100, isPrimary: false, isOnOurChain: true, isUsable: true, ...seen[name] },
    ]),
  )
  const isWeighted = candidates.some(({ config }) => config.weight ?? config.cost)
  return chooseUpstream(
    { candidates, statuses, now: 0, isWeighted, random: () => chance },
    { method: { name: 'eth_call' }, ...wanted },
    tried,
  )
}

function candidate(name: string, overrides: Partial<UpstreamConfig> = {}): UpstreamCandidate {
  return {
    config: { name, url: '', archive: false, priority: 0, ...overrides },
    health: new UpstreamHealth(),
    lacksStateAt: () => false,
    lacksMethod: () => false,
    unawareSince: 0,
    isSpent: false,
    serves: (method) => isServedBy(overrides.methods ?? {}, method),
  }
}
