import fc from 'fast-check'
import { positionsOf, rangeAfter } from './history.js'

describe(positionsOf, () => {
  it.each([
    [{ from: 0, to: 10 }, 25, { low: 15, high: 25 }],
    [{ from: 20, to: 30 }, 25, { low: 0, high: 5 }],
    [{ from: 30, to: 40 }, 25, { low: 0, high: 0 }],
    [{ from: 0, to: 10 }, 0, { low: 0, high: 0 }],
    [{ from: 10 ** 14, to: 10 ** 14 + 1 }, 25, { low: 0, high: 0 }],
  ])('of %j in a history of %d are %j', (range, count, slice) => {
    expect(positionsOf(range, count)).toEqual(slice)
  })
})

describe(rangeAfter, () => {
  it('returns the part of a range that the mempool does not fill', () => {
    const lists = fc.tuple(fc.nat(20), fc.nat(50), fc.nat(80), fc.integer({ min: 1, max: 40 }))
    fc.assert(
      fc.property(lists, ([unconfirmed, confirmed, from, width]) => {
        const range = { from, to: from + width }
        const all = [...named('m', unconfirmed), ...named('c', confirmed).reverse()]
        const { low, high } = positionsOf(rangeAfter(range, unconfirmed), confirmed)
        const page = [...named('m', unconfirmed).slice(range.from, range.to), ...named('c', confirmed).slice(low, high).reverse()]
        expect(page).toEqual(all.slice(range.from, range.to))
      }),
    )
  })
})

function named(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`)
}
