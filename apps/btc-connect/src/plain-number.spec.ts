import fc from 'fast-check'
import { withoutExponent } from './plain-number.js'

describe(withoutExponent, () => {
  it.each([
    [0, '0'],
    [-1, '-1'],
    [1e-8, '0.00000001'],
    [1.5e-7, '0.00000015'],
    [4.656542373906925e-10, '0.0000000004656542373906925'],
    [-2.5e-9, '-0.0000000025'],
    [1e21, '1000000000000000000000'],
    [1.25e22, '12500000000000000000000'],
    [109783475329987.3, '109783475329987.3'],
  ])('writes %d as %s', (value, text) => {
    expect(JSON.stringify(withoutExponent(value))).toBe(text)
  })

  it('always parses to the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = JSON.stringify(withoutExponent(value))
        expect(text).toMatch(/^-?\d+(\.\d+)?$/)
        expect(Number(text) === value).toBe(true)
      }),
    )
  })
})
