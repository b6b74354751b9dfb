import fc from 'fast-check'
import { MergedHistory } from './merged-history.js'

const histories = fc.array(fc.uniqueArray(fc.nat(3000), { maxLength: 400 }), { maxLength: 12 })

describe(MergedHistory, () => {
  it('finds the newest entries of all histories, each once', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 300 }), (given, wanted) => {
        const all = [...new Set(given.flat())].sort((a, b) => b - a)
        expect(merge(given, wanted).newest).toEqual(all.slice(0, wanted))
      }),
    )
  })

  it('reads little more than the requested entries, however long the histories are', () => {
    const long = Array.from({ length: 100_000 }, (_, index) => index)
    const short = Array.from({ length: 500 }, (_, index) => [index * 7])
    const { newest, read } = merge([long, ...short], 50)
    expect(newest[0]).toBe(99_999)
    expect(read).toBeLessThan(50 + 16 * 2 + 500 + 64)
  })

  it('needs few rounds if one history has all entries', () => {
    const long = Array.from({ length: 100_000 }, (_, index) => index)
    expect(merge([long], 10_000).rounds).toBeLessThan(20)
  })
})

function merge(given: readonly number[][], wanted: number) {
  const sorted = new Map(given.map((ids, index) => [String(index), [...ids].sort((a, b) => a - b)]))
  const merged = new MergedHistory(new Map([...sorted].map(([key, ids]) => [key, ids.length])), wanted)
  let read = 0
  let rounds = 0
  for (let slices = merged.missing(); slices.length > 0; slices = merged.missing()) {
    const rows = new Map(slices.map(({ key, low, high }) => [key, sorted.get(key)?.slice(low, high) ?? []]))
    read += [...rows.values()].flat().length
    rounds += 1
    merged.add(slices, rows)
  }
  return { newest: merged.newest(), read, rounds }
}
