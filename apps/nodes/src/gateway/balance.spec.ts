import fc from 'fast-check'
import { chooseMember, healthyMembers, type MachineLoad } from './balance.js'
import type { LiveMember } from './live-workload.js'

const arbitraryMember = fc.record({
  isReady: fc.boolean(),
  isDraining: fc.boolean(),
  height: fc.integer({ min: 0, max: 100 }),
  outstanding: fc.integer({ min: 0, max: 5 }),
  isWell: fc.boolean(),
})
const members = fc.array(arbitraryMember, { maxLength: 10 }).map((all) => all.map(memberOf))
const chains = fc.constantFrom('btc', 'ltc', 'bch', 'eth')
const LAG: Record<string, number> = { btc: 2, ltc: 4, bch: 2, eth: 30 }

describe(chooseMember, () => {
  it('takes nobody who drains, was tried, or is too far behind those that are ready', () => {
    fc.assert(
      fc.property(members, chains, fc.nat(3), (all, chain, triedCount) => {
        const tried = all.slice(0, triedCount).map(({ client }) => client)
        const chosen = chooseMember(all, { chain, now: 0 }, tried)
        if (!chosen) return
        expect(chosen.isDraining).toBe(false)
        expect(tried).not.toContain(chosen.client)
        const best = Math.max(0, ...all.filter(({ isDraining, isReady }) => isReady && !isDraining).map(({ height }) => height))
        if (all.length > 1) expect(best - chosen.height).toBeLessThanOrEqual(LAG[chain] as number)
      }),
    )
  })

  it('takes one that is well where there is one, and of those the one with the least to do', () => {
    fc.assert(
      fc.property(members, chains, (all, chain) => {
        const chosen = chooseMember(all, { chain, now: 0 }, [])
        const well = healthyMembers(all, { chain, now: 0 })
        if (well.length === 0) return expect(all.length > 1 && chosen).toBeFalsy()
        if (all.length > 1) expect(well).toContain(chosen)
        expect(chosen?.client.outstanding).toBe(Math.min(...well.map(({ client }) => client.outstanding)))
      }),
    )
  })

  it('finds one as long as one that does not drain was not tried', () => {
    fc.assert(
      fc.property(members, chains, (all, chain) => {
        expect(chooseMember(all, { chain, now: 0 }, []) === undefined).toBe(healthyMembers(all, { chain, now: 0 }).length === 0)
      }),
    )
  })
})

function memberOf(
  { isWell, outstanding, ...seen }: { isWell: boolean; outstanding: number; isReady: boolean; isDraining: boolean; height: number },
  i: number,
): LiveMember<MachineLoad> {
  return { id: String(i), client: { outstanding, health: { isWell: () => isWell } }, ...seen }
}
