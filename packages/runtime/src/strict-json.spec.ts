import fc from 'fast-check'
import { InvalidJson, parseStrictJson } from './strict-json.js'

describe(parseStrictJson, () => {
  it('parses what JSON.stringify writes as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        fc.pre(!/\\u0000|__proto__|\\ud[89a-f]/i.test(text))
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('accepts no text that JSON.parse refuses, and agrees with it on every text it accepts', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '"\\n"',
      '"\\u00e9"',
      '1',
      '-0',
      '01',
      '1.5e3',
      '.5',
      '1.',
      '+1',
      'true',
      'null',
      'nul',
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '\u0001',
      "'",
      '"',
      '\\',
      '/',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const mine = outcome(() => parse(text))
        const theirs = outcome(() => JSON.parse(text))
        if ('refused' in mine) expect('refused' in theirs || /given twice|too large/.test(mine.refused)).toBe(true)
        else expect(mine).toEqual(theirs)
      }),
      { numRuns: 5000 },
    )
  })

  it('throws nothing but InvalidJson, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => ['value', 'refused'].includes(Object.keys(outcome(() => parseStrictJson(bytes)))[0] ?? '')),
    )
  })

  it.each([
    ['a duplicate member', '{"a":1,"a":2}', 'A member is repeated.'],
    ['a duplicate member that is written differently', '{"a":1,"\\u0061":2}', 'A member is repeated.'],
    ['a duplicate member deep inside', '[{"b":{"a":1,"a":1}}]', 'A member is repeated.'],
    ['__proto__', '{"__proto__":{"x":1}}', 'A member is named __proto__.'],
    ['an escaped __proto__', '{"__pr\\u006fto__":{"x":1}}', 'A member is named __proto__.'],
    ['constructor.prototype', '{"constructor":{"prototype":{"x":1}}}', 'A member is named constructor.prototype.'],
    ['a lone high surrogate', '"\\ud800"', 'A string contains half of a surrogate pair.'],
    ['a lone low surrogate in a name', '{"\\udc00":1}', 'A string contains half of a surrogate pair.'],
    ['NUL', '"\\u0000"', 'A string contains a NUL character.'],
    ['a number beyond the range', '1e400', 'A number is too large.'],
    ['a negative number beyond the range', '[-1e400]', 'A number is too large.'],
    ['a byte order mark', '\ufeff{}', 'The body begins with a byte order mark.'],
    ['a text that ends too early', '{"a":', 'The JSON ends too early.'],
    ['a string that does not end', `"${'x'.repeat(1_000_000)}`, 'The JSON is malformed at character 0.'],
    ['something after the value', '{} {}', 'The JSON is malformed at character 3.'],
    ['a comment', '/* */ {}', 'The JSON is malformed at character 0.'],
    ['nothing but space', '  ', 'The JSON ends too early.'],
  ])('refuses %s', (_, text, message) => {
    expect(outcome(() => parse(text))).toEqual({ refused: message })
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(outcome(() => parseStrictJson(Buffer.from([0x22, 0xc0, 0xaf, 0x22])))).toEqual({ refused: 'The body is not valid UTF-8.' })
  })

  it('accepts 64 levels of nesting and refuses more', () => {
    expect(parse(`${'['.repeat(64)}${']'.repeat(64)}`)).toBeInstanceOf(Array)
    expect(outcome(() => parse('[{"a":'.repeat(100_000)))).toEqual({ refused: 'The body is nested deeper than 64 levels.' })
  })

  it('accepts a member named constructor with a plain value', () => {
    expect(parse('{"constructor":"Acme","toString":1}')).toEqual({ constructor: 'Acme', toString: 1 })
  })

  it('accepts surrogate pairs, escaped or not', () => {
    expect(parse('["\\ud83d\\ude00","😀"]')).toEqual(['😀', '😀'])
  })
})

function parse(text: string): unknown {
  return parseStrictJson(new TextEncoder().encode(text))
}

function outcome(run: () => unknown): { value: unknown } | { refused: string } {
  try {
    return { value: run() }
  } catch (error) {
    if (error instanceof InvalidJson || (error as Error).name === 'SyntaxError') return { refused: (error as Error).message }
    throw error
  }
}
