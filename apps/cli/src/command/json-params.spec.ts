import fc from 'fast-check'
import { jsonParams } from './json-params.js'

describe(jsonParams, () => {
  it.each([
    ['7', 7],
    ['true', true],
    ['{"to":"0x1"}', { to: '0x1' }],
    ['"7"', '7'],
    ['latest', 'latest'],
    ['0x10', '0x10'],
    ['', ''],
    // A number would be another one, or none: 12345678901234567000 and Infinity.
    ['12345678901234567890', '12345678901234567890'],
    ['12e45678', '12e45678'],
  ])('reads %j as %j', (typed, value) => {
    expect(jsonParams([typed])).toEqual([value])
  })

  it('never sends another integer than the one typed', () => {
    fc.assert(fc.property(fc.bigInt(), (integer) => expect(String(jsonParams([String(integer)])[0])).toBe(String(integer))))
  })
})
