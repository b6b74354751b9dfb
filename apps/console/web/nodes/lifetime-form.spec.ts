import { nodes } from '@trestle/contracts/nodes/nodes'
import fc from 'fast-check'
import { DAY_LONG, lifetimeBody, reduceLifetime } from './lifetime-form.js'
import { TTLS } from './ttl.js'

const NOW = new Date('2026-11-22T00:00:00Z')

describe(reduceLifetime, () => {
  it('begins with a day, and ends with what was chosen last', () => {
    expect(lifetimeBody(DAY_LONG, NOW.toISOString(), NOW)).toEqual({ ttl: 86_400 })
    expect(['3600', 'plan'].map((value) => ({ value })).reduce(reduceLifetime, DAY_LONG)).toEqual({ ttl: 'plan' })
  })

  it('keeps its choice where another is not offered', () => {
    for (const value of ['', '1', 'toString']) expect(reduceLifetime(DAY_LONG, { value })).toEqual(DAY_LONG)
  })
})

describe(lifetimeBody, () => {
  it('is a body that the contract accepts, whatever is chosen', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TTLS), fc.date({ noInvalidDate: true, max: new Date('2100-01-01') }), (ttl, planEnds) => {
        expect(nodes.change.body.safeParse(lifetimeBody({ ttl }, planEnds.toISOString(), NOW)).success).toBe(true)
      }),
    )
  })
})
