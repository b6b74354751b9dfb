import fc from 'fast-check'
import { lineAt, statementsOf } from './statements.js'

const PIECES = [
  'a',
  '1',
  `'semi;colon'`,
  `'it''s; fine'`,
  String.raw`'back\slash'`,
  String.raw`E'it\'s; fine'`,
  '"a;b"',
  '/* not; here */',
  '-- nor; here\n',
  '$$ begin; end; $$',
  "$body$ select ';'; $$ ; $body$",
  '$1',
  'na$me',
]

describe(statementsOf, () => {
  it('splits where a statement ends and nowhere else', () => {
    const statement = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => ['select', ...pieces].join(' ').trimEnd())
    fc.assert(
      fc.property(fc.array(statement), fc.constantFrom('', '\n', ' \n-- between\n', '/* ; */ '), (statements, gap) => {
        const script = statements.map((text) => `${gap}${text}\n;`).join('')
        expect(statementsOf(script).map(({ text }) => text.replace(/\n;$/, ''))).toEqual(statements)
      }),
    )
  })

  it('gives the line on which a statement begins', () => {
    const script = '-- first\n\nselect 1;\nselect\n2; select 3;\n\n/* last\n*/ select 4'
    expect(statementsOf(script)).toEqual([
      { text: 'select 1;', line: 3 },
      { text: 'select\n2;', line: 4 },
      { text: 'select 3;', line: 5 },
      { text: 'select 4', line: 8 },
    ])
  })

  it('does not mistake the last E of a keyword for the prefix of a string', () => {
    expect(statementsOf(String.raw`select DATE'2026\'; select 2`)).toHaveLength(2)
  })

  it.each(['', ' \n', '-- nothing\n', ';;', '/* ; */'])('finds nothing in %j', (script) => {
    expect(statementsOf(script)).toEqual([])
  })
})

describe(lineAt, () => {
  it.each([
    [0, 1],
    [2, 1],
    [3, 2],
  ])('counts from one: offset %i is on line %i', (offset, line) => {
    expect(lineAt('ab\ncd', offset)).toBe(line)
  })
})
