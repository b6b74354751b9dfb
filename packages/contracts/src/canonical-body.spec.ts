import fc from 'fast-check'
import { canonicalBody } from './canonical-body.js'

describe(canonicalBody, () => {
  it('is that of RFC 8785, section 3.2.3', () => {
    const sorted = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '1': 'One',
      '\u0080': 'Control',
      '\ud83d\ude00': 'Smiley',
      '\ufb33': 'Dalet',
    }
    expect(canonicalBody(sorted)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u20ac":"Euro Sign","\ud83d\ude00":"Smiley","\ufb33":"Dalet"}',
    )
    const { numbers, literals } = { numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27], literals: [null, true, false] }
    expect(canonicalBody({ numbers, literals })).toBe('{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}')
  })

  it('is one text for equal values, in whatever order their members are, and other texts for others', () => {
    const pair = fc.tuple(fc.jsonValue(), fc.jsonValue())
    fc.assert(
      fc.property(pair, ([a, b]) => {
        expect(JSON.parse(canonicalBody(a))).toEqual(JSON.parse(JSON.stringify(a)))
        expect(canonicalBody(JSON.parse(canonicalBody(a)))).toBe(canonicalBody(a))
        expect(canonicalBody({ x: a, y: b })).toBe(canonicalBody({ y: b, x: a }))
        if (canonicalBody(a) === canonicalBody(b)) expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)))
      }),
    )
  })
})
