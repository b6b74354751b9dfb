import fc from 'fast-check'
import { covers } from './covers.js'

describe(covers, () => {
  it('finds itself in everything', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => covers(value, value)))
  })

  it('overlooks what was added to an object, and nothing that was changed', () => {
    expect(covers({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ c: 2 }] })).toBe(true)
    expect(covers({ a: 1 }, { a: 2 })).toBe(false)
    expect(covers({}, { a: { b: 1 } })).toBe(false)
    expect(covers(undefined, { a: 1 })).toBe(false)
  })

  it('takes a longer or shorter list for another', () => {
    expect(covers([1, 2], [1])).toBe(false)
    expect(covers([1], [1, 2])).toBe(false)
    expect(covers({ 0: 1 }, [1])).toBe(false)
  })

  it('wants nothing of what is left out', () => {
    expect(covers({}, { a: undefined })).toBe(true)
  })
})
