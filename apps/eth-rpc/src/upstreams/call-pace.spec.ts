import fc from 'fast-check'
import { CallPace } from './call-pace.js'

describe(CallPace, () => {
  it('lets one call come after another at less than ten a second', () => {
    const pace = new CallPace(2)
    expect(pace.took(1_000)).toBe(1_500)
    expect(pace.took(1_500)).toBe(2_000)
    expect(pace.took(9_000)).toBe(9_500)
  })

  it('lets the calls of a tenth of a second come at once', () => {
    const pace = new CallPace(100)
    for (let call = 1; call < 10; call++) expect(pace.took(1_000)).toBeLessThanOrEqual(1_000)
    expect(pace.took(1_000)).toBe(1_010)
  })

  it('never lets more through than the rate and one burst allow, whenever calls come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 200 }),
        (perSecond, gaps) => {
          const pace = new CallPace(perSecond)
          let [now, freeAt, calls] = [0, 0, 0]
          for (const gap of gaps) {
            now += gap
            while (freeAt <= now && calls < 100_000) {
              freeAt = pace.took(now)
              calls++
            }
          }
          expect(calls).toBeLessThanOrEqual((perSecond * now) / 1000 + Math.max(1, perSecond / 10) + 1)
        },
      ),
    )
  })
})
