import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { isListed, passwordRangeOf } from './password-range.js'

describe(passwordRangeOf, () => {
  it('is the hash of a password in two parts, of which the first names many', () => {
    expect(passwordRangeOf('password')).toEqual({ prefix: '5BAA6', suffix: '1E4C9B93F3F0682250B6CF8331B7EE68FD8' })
  })

  it('is that of UTF-8 for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (password) => {
        const { prefix, suffix } = passwordRangeOf(password)
        expect(`${prefix}${suffix}`).toBe(createHash('sha1').update(password).digest('hex').toUpperCase())
      }),
    )
  })
})

describe(isListed, () => {
  const { suffix } = passwordRangeOf('password')
  const other = passwordRangeOf('another').suffix

  it.each([
    ['among others', `${other}:3\r\n${suffix}:9545824\r\n`, true],
    ['at the end, without a line break', `${other}:3\n${suffix}:1`, true],
    ['in lower case', suffix.toLowerCase().concat(':7'), true],
    ['as padding', `${suffix}:0\r\n`, false],
    ['without a count', suffix, false],
    ['not at all', `${other}:3`, false],
    ['in an answer that is none', '<html>', false],
    ['in no answer', '', false],
  ])('finds a suffix %s: %j', (_, lines, expected) => {
    expect(isListed(lines, suffix)).toBe(expected)
  })
})
