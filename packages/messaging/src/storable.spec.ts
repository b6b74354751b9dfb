import fc from 'fast-check'
import { storable } from './storable.js'

describe(storable, () => {
  it.each([
    ['a\u0000b', 'a\ufffdb'],
    ['\u0000\u0000', '\ufffd\ufffd'],
    ['\ud800x', '\ufffdx'],
    ['x\udc00', 'x\ufffd'],
    ['😀', '😀'],
    ['\\u0000', '\\u0000'],
    ['\\\u0000', '\\\ufffd'],
  ])('turns %j into %j', (given, stored) => {
    expect(JSON.parse(storable({ [given]: [given] }))).toEqual({ [stored]: [stored] })
  })

  it('changes nothing but NUL and lone surrogates', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        expect(JSON.parse(storable(texts))).toEqual(texts.map((text) => text.toWellFormed().replaceAll('\u0000', '\ufffd')))
      }),
    )
  })
})
