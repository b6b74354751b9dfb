import { endpoint } from '@trestle/contracts/endpoint'
import { queryInteger, RangeEnd, TimeInput } from '@trestle/contracts/fields'
import { Problem } from '@trestle/problem/problem'
import { z } from 'zod'
import { parseInput } from './parse-input.js'

const base = { method: 'POST', path: '/things', summary: 'Make a thing.', access: 'account', status: 204 } as const
const Tag = z.object({ name: z.string().max(5), color: z.enum(['red', 'blue']).optional() })
const things = endpoint({
  ...base,
  query: z.object({ limit: queryInteger(1, 100).optional(), from: RangeEnd.optional() }),
  body: z.object({
    name: z.string().trim().min(1).max(100),
    size: z.int().min(2).max(10).optional(),
    until: TimeInput.optional(),
    password: z.string().max(3).optional(),
    tags: z.array(Tag).max(2).default([]),
  }),
})
const shapes = endpoint({
  ...base,
  path: '/shapes',
  body: z.union([
    z.object({ circle: z.number(), filled: z.boolean().optional(), note: z.string().optional() }),
    z.object({ square: z.number(), tilted: z.boolean().optional(), note: z.string().optional() }),
  ]),
})
const kinds = endpoint({
  ...base,
  path: '/kinds',
  body: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), x: z.string() }),
    z.object({ kind: z.literal('b'), y: z.string() }),
  ]),
})

const loose = endpoint({ ...base, path: '/loose', body: z.looseObject({ own: z.object({ a: z.string() }) }) })

function parse(spec: typeof things | typeof shapes | typeof kinds | typeof loose, sent: { body?: unknown; query?: unknown }) {
  const { body, query = {} } = sent
  return parseInput({ params: {}, headers: {}, formProblem: undefined, query, body, routeOptions: { config: { endpoint: spec } } })
}

/** `path: message` of everything that is wrong. */
function faults(...[spec, sent]: Parameters<typeof parse>): string[] {
  try {
    parse(spec, sent)
  } catch (error) {
    if (error instanceof Problem) return (error.errors ?? []).map(({ path, message }) => `${path}: ${message}`)
  }
  return []
}

describe(parseInput, () => {
  it('gives every request defaults of its own', () => {
    const [one, other] = [1, 2].map(() => parse(things, { body: { name: ' a ' } }).body as { tags: unknown[] })
    expect([one, other]).toEqual([
      { name: 'a', tags: [] },
      { name: 'a', tags: [] },
    ])
    expect(one?.tags).not.toBe(other?.tags)
  })

  it.each([
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.1Z', '2027-01-31T12:00:00.100Z'],
    ['2027-01-31T12:00:00.123456789Z', '2027-01-31T12:00:00.123Z'],
    ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
    ['2027-01-31T23:30:00-01:00', '2027-02-01T00:30:00.000Z'],
  ])('takes the time %s for %s', (until, parsed) => {
    expect(parse(things, { body: { name: 'a', until } }).body).toMatchObject({ until: parsed })
  })

  it.each([
    [{}, 'body.name: is required; it must be a string of 1 to 100 characters'],
    [{ name: '   ' }, 'body.name: must be a string of 1 to 100 characters; got only spaces'],
    [{ name: 'a'.repeat(101) }, 'body.name: must be a string of 1 to 100 characters; got a string of 101 characters'],
    [{ name: 'a', size: '3' }, 'body.size: must be a whole number from 2 to 10, such as 10; got the string "3"'],
    [{ name: 'a', size: 2.5 }, 'body.size: must be a whole number from 2 to 10, such as 10; got the number 2.5'],
    [{ name: 'a', size: null }, 'body.size: must be a whole number from 2 to 10, such as 10; got null'],
    [
      { name: 'a', until: 'tomorrow' },
      'body.until: must be a time in the form of RFC 3339, such as "2026-01-31T12:00:00Z"; got the string "tomorrow"',
    ],
    [{ name: 'a', tags: [{ name: 'b', color: 'pink' }] }, 'body.tags[0].color: must be one of "red" and "blue"; got the string "pink"'],
    [{ name: 'a', tags: [{ name: 'b', colour: 'red' }] }, 'body.tags[0].colour: unknown member "colour"; did you mean "color"?'],
    [
      { name: 'a', tags: [{}, {}, {}].map(() => ({ name: 'b' })) },
      /^body\.tags: must be an array of at most 2 values, .*; got an array of 3 values$/,
    ],
    [{ name: 'a', TAGS: [] }, 'body.TAGS: unknown member "TAGS"; did you mean "tags"?'],
  ])('refuses the body %j', (body, fault) => {
    expect(faults(things, { body })[0]).toEqual(typeof fault === 'string' ? fault : expect.stringMatching(fault))
  })

  it.each([
    [{ limit: 'x' }, 'query.limit: must be a whole number from 1 to 100, such as 10; got "x"'],
    [{ limit: ['1', '2'] }, 'query.limit: must be given once; got it 2 times'],
    [{ 'limit[]': '1' }, 'query.limit: must be one plain value, such as limit=...'],
    [{ lmit: '1' }, 'query.lmit: unknown parameter "lmit"; did you mean "limit"?'],
    [
      { from: 'yesterday' },
      'query.from: must be a time in the form of RFC 3339, such as "2026-01-31T12:00:00Z", or be a date, such as "2026-01-31"; got "yesterday"',
    ],
  ])('refuses the query %j', (query, fault) => {
    expect(faults(things, { query, body: { name: 'a' } })).toEqual([fault])
  })

  it('leaves loose what its contract declares so, and only that', () => {
    expect(parse(loose, { body: { own: { a: 'x' }, more: 1 } }).body).toEqual({ own: { a: 'x' }, more: 1 })
    expect(faults(loose, { body: { own: { a: 'x', b: 1 }, more: 1 } })).toEqual(['body.own.b: unknown member "b"; the member here is "a"'])
  })

  it('never repeats a secret, nor a body that is no object', () => {
    expect(faults(things, { body: { name: 'a', password: 'hunter2' } })).toEqual([
      'body.password: must be a string of at most 3 characters; got a string',
    ])
    expect(faults(things, { body: 'hunter2' })).toEqual([
      'body: must be an object with "name", "size", "until", "password" and "tags"; got a string',
    ])
  })

  it('names a bounded number of faults, with bounded names', () => {
    const body = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}`.padEnd(1000, 'x'), 1]))
    const found = faults(things, { body })
    expect(found).toHaveLength(20)
    expect(Math.max(...found.map((fault) => fault.length))).toBeLessThan(400)
  })

  it('says how many more faults there are', () => {
    expect(() => parse(things, { body: { name: 1, size: '1' } })).toThrow(/^body\.name: .* \(and 1 more\)$/)
  })
})

describe('a union', () => {
  it.each([
    [{}, ['body: needs one of "circle" and "square": "circle" must be a number, such as 10; "square" must be a number, such as 10']],
    [{ note: 'x' }, [expect.stringMatching(/^body: needs one of "circle" and "square"/)]],
    [{ note: 1 }, [expect.stringMatching(/^body: needs one of/), 'body.note: must be a string; got the number 1']],
    [{ circle: 'x' }, ['body.circle: must be a number, such as 10; got the string "x"']],
    [
      { crcle: 1 },
      ['body.crcle: unknown member "crcle"; did you mean "circle"?', 'body.circle: is required; it must be a number, such as 10'],
    ],
    [{ circle: 1, tilted: true }, ['body.tilted: unknown member "tilted"; it goes with "square", not with "circle"']],
    [{ circle: 1, square: 1 }, ['body.square: unknown member "square"; it does not go with "circle": give one of them']],
    [{ tilted: true }, ['body.square: is required; it must be a number, such as 10']],
    [null, ['body: must be an object with "circle", "filled" and "note", or be an object with "square", "tilted" and "note"; got null']],
  ])('is judged by the branch that is meant: %j', (body, expected) => {
    expect(faults(shapes, { body })).toEqual(expected)
  })

  it.each([
    [{ kind: 'c' }, ['body.kind: must be one of "a" and "b"; got the string "c"']],
    [{}, ['body.kind: is required; it must be one of "a" and "b"']],
    [
      { kind: 'b', x: 'x' },
      ['body.x: unknown member "x"; it goes with "kind": "a", not with what is given', 'body.y: is required; it must be a string'],
    ],
  ])('is judged by its discriminator: %j', (body, expected) => {
    expect(faults(kinds, { body })).toEqual(expected)
  })
})
