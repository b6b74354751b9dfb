import fc from 'fast-check'
import { csv } from './csv.js'

describe(csv, () => {
  it('quotes what would end a cell', () => {
    expect(csv([['a,b', 'say "no"', 'two\nlines', 7]])).toBe('"a,b","say ""no""","two\nlines",7\r\n')
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)'])('keeps %s from being a formula', (text) => {
    expect(csv([[text]])).toBe(`'${text}\r\n`)
  })

  it('leaves a negative number as it is', () => {
    expect(csv([[-1.5]])).toBe('-1.5\r\n')
  })

  it('gives every cell back', () => {
    const table = fc.array(
      fc.array(
        fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n') }).map((text) => `x${text}`),
        { minLength: 1 },
      ),
    )
    fc.assert(fc.property(table, (rows) => expect(read(csv(rows))).toEqual(rows)))
  })
})

/** A reader by the grammar of RFC 4180 section 2. */
function read(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
