import fc from 'fast-check'
import { covers } from './covers.js'

describe(covers, () => {
  it('is true of equal values', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => covers(value, value)))
  })

  it('ignores added members, and no changed one', () => {
    expect(covers({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ c: 2 }] })).toBe(true)
    expect(covers({ a: 1 }, { a: 2 })).toBe(false)
    expect(covers({}, { a: { b: 1 } })).toBe(false)
    expect(covers(undefined, { a: 1 })).toBe(false)
  })

  it('is false of a longer or shorter list', () => {
    expect(covers([1, 2], [1])).toBe(false)
    expect(covers([1], [1, 2])).toBe(false)
    expect(covers({ 0: 1 }, [1])).toBe(false)
  })

  it('ignores undefined members', () => {
    expect(covers({}, { a: undefined })).toBe(true)
  })
})
