import fc from 'fast-check'
import { elementTexts, memberOf } from './json-elements.js'

const spaced = fc.tuple(fc.json(), fc.constantFrom('', ' ', '\n\t')).map(([json, space]) => ({ json, text: `${space}${json}${space}` }))

describe(elementTexts, () => {
  it('cuts any array into the texts of its elements', () => {
    fc.assert(
      fc.property(fc.array(spaced), (elements) => {
        expect(elementTexts(`[${elements.map(({ text }) => text).join(',')}]`)).toEqual(elements.map(({ json }) => json.trim()))
      }),
    )
  })

  it('takes whatever a node says for what it is not, and comes to an end', () => {
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(elementTexts(text))))
    expect(elementTexts('["a')).toEqual([])
  })
})

describe(memberOf, () => {
  it('finds a member as it came, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, id) => {
        const text = JSON.stringify({ ...others, id })
        expect(JSON.parse(memberOf(text, 'id') ?? '')).toEqual(JSON.parse(JSON.stringify(id)))
      }),
    )
  })

  it.each([
    ['{"id":12345678901234567890,"method":"x"}', '12345678901234567890'],
    ['{ "method" : "\\",\\"id\\":1" , "id" : 1.0 }', '1.0'],
    ['{"params":[{"id":1}],"\\u0069d":"\\u0061"}', '"\\u0061"'],
    ['{"params":{"id":1}}', undefined],
    ['{}', undefined],
  ])('of %s is %s', (text, id) => {
    expect(memberOf(text, 'id')).toBe(id)
  })
})
