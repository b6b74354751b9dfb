import fc from 'fast-check'
import { joinArrays } from './joined-arrays.js'

describe(joinArrays, () => {
  it('has all elements in order, whatever their whitespace', () => {
    const array = fc.tuple(fc.array(fc.jsonValue(), { maxLength: 3 }), fc.constantFrom(undefined, '\n', '  '))
    fc.assert(
      fc.property(fc.array(array, { minLength: 1 }), (arrays) => {
        const joined = joinArrays(arrays.map(([elements, space]) => Buffer.from(JSON.stringify(elements, undefined, space))))
        expect(JSON.parse(String(joined))).toEqual(JSON.parse(JSON.stringify(arrays.flatMap(([elements]) => elements))))
      }),
    )
  })

  it('is a single array unchanged', () => {
    const only = Buffer.from('[ 1 ]')
    expect(joinArrays([only])).toBe(only)
  })

  it.each(['null', '{}', '"[]"', '['])('is undefined where one is %s', (json) => {
    expect(joinArrays([Buffer.from('[1]'), Buffer.from(json)])).toBeUndefined()
  })
})
