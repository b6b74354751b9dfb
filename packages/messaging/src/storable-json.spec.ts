import fc from 'fast-check'
import { storableJson } from './storable-json.js'

describe(storableJson, () => {
  it.each([
    ['a\u0000b', 'a\ufffdb'],
    ['\u0000\u0000', '\ufffd\ufffd'],
    ['\ud800x', '\ufffdx'],
    ['x\udc00', 'x\ufffd'],
    ['😀', '😀'],
    ['\\u0000', '\\u0000'],
    ['\\\u0000', '\\\ufffd'],
  ])('turns %j into %j', (given, stored) => {
    expect(JSON.parse(storableJson({ [given]: [given] }))).toEqual({ [stored]: [stored] })
  })

  it('changes nothing but NUL and lone surrogates', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        expect(JSON.parse(storableJson(texts))).toEqual(texts.map((text) => text.toWellFormed().replaceAll('\u0000', '\ufffd')))
      }),
    )
  })
})
