import fc from 'fast-check'
import { csvLine } from './csv.js'

describe(csvLine, () => {
  it('writes fields as RFC 4180 requires', () => {
    expect(csvLine(['a', 1, true, null, undefined, 'x,y', 'say "so"', 'two\nlines'])).toBe('a,1,true,,,"x,y","say ""so""","two\nlines"\r\n')
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', "=cmd|' /C calc'!A0"])('makes %j harmless', (text) => {
    expect(csvLine([text])).toBe(`"'${text}"\r\n`)
  })

  it('leaves a negative number a number', () => {
    expect(csvLine([-1n, -1.5])).toBe('-1,-1.5\r\n')
  })

  it('round-trips', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (texts) => {
        const harmless = texts.map((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text))
        expect(parseLine(csvLine(texts))).toEqual(harmless)
      }),
    )
  })
})

function parseLine(line: string): string[] {
  const fields = [...`,${line.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)]
  return fields.map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '')
}
