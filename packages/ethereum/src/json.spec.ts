import fc from 'fast-check'
import { expectParsedOrMalformed } from '../test/malformed.js'
import { JsonObject, parseJson } from './json.js'
import { InvalidEthereumData } from './malformed.js'

describe(JsonObject, () => {
  it('names the member that is not what it should be', () => {
    const object = JsonObject.of({ outer: { slot: '07' }, list: [1] }, 'The file')
    expect(() => object.object('outer').uint64('slot')).toThrow('The file.outer.slot: The text is not an integer in decimal digits.')
    expect(() => object.list('list')).toThrow('An element of The file.list is not an object.')
    expect(() => object.text('outer')).toThrow('The file.outer is not a string.')
    expect(() => object.list('outer')).toThrow('The file.outer is not a list.')
  })

  it('has no member that it inherits', () => {
    expect(JsonObject.of({}, 'The file').has('constructor')).toBe(false)
    expect(() => JsonObject.of({}, 'The file').object('__proto__')).toThrow(InvalidEthereumData)
  })

  it('takes null for a member that is not there', () => {
    expect(JsonObject.of({ root: null }, 'The file').has('root')).toBe(false)
  })

  it.each([1.5, -1, 11, '5', null, Number.NaN])('takes %p for no whole number from 0 to 10', (value) => {
    expect(() => JsonObject.of({ value }, 'The file').integer('value', 0, 10)).toThrow(InvalidEthereumData)
  })
})

describe(parseJson, () => {
  it('gives any value but a text back, and reads a text or finds it malformed', () => {
    fc.assert(fc.property(fc.string(), (text) => expectParsedOrMalformed(() => parseJson(text))))
    expect(parseJson({ a: 1 })).toEqual({ a: 1 })
    expect(parseJson('{"a":1}')).toEqual({ a: 1 })
  })
})
