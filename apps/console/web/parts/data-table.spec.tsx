import { rendered } from '../testing/rendered.js'
import { type Column, DataTable } from './data-table.js'

const COLUMNS: readonly Column<number>[] = [
  { name: 'n', header: 'Number', cell: (row) => row },
  { name: 'square', header: 'Square', cell: (row) => row * row, align: 'right' },
]
const table = (rows: readonly number[], more: object = {}) =>
  rendered(<DataTable label="Squares" rows={rows} columns={COLUMNS} keyOf={String} {...more} />)

describe(DataTable, () => {
  it('is a table with a name, a header and its rows', () => {
    const page = table([2, 3])
    expect(page.has('aria-label="Squares"')).toBe(true)
    expect(page.rows).toEqual([
      ['Number', 'Square'],
      ['2', '4'],
      ['3', '9'],
    ])
  })

  it('says that it is empty, in the words of the page where it has some', () => {
    expect(table([]).text).toBe('Nothing here yet.')
    expect(table([], { empty: 'No squares' }).text).toBe('No squares')
    expect(table([], { empty: <h2>No squares</h2> }).all('h2')).toEqual(['No squares'])
  })

  it('offers more only where there is more', () => {
    expect(table([2]).isEnabled('Load more')).toBeUndefined()
    expect(table([2], { more: { load: () => undefined, loading: false } }).isEnabled('Load more')).toBe(true)
    expect(table([2], { more: { load: () => undefined, loading: true } }).has('data-loading="true"')).toBe(true)
  })

  it('draws only the rows in view of a long table, and tells how many there are', () => {
    const page = table(Array.from({ length: 101 }, (_, index) => index))
    expect(page.has('role="table" aria-label="Squares" aria-rowcount="102"')).toBe(true)
    expect(page.all('tr')).toEqual([])
    expect(page.has(/role="columnheader"[^>]*>Number</)).toBe(true)
  })

  it('is reachable by keyboard, long or short', () => {
    for (const length of [1, 101]) expect(table(Array.from({ length }, (_, index) => index)).has(/tabindex="0"/i)).toBe(true)
  })
})
