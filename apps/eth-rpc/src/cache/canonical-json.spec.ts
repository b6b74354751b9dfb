import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { RpcFailure } from '../framing/rpc-error.js'
import { canonicalJson } from './canonical-json.js'

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), maxLength: 8 }).map((digits) => `0x${digits}`)
const text = fc.oneof(hex, fc.constantFrom('latest', 'Latest', '0X1', '', '"', '0xg', '\ud800', '__proto__'), fc.string({ maxLength: 4 }))
const { params } = fc.letrec<{ params: unknown }>((tie) => ({
  params: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer({ min: -2, max: 2 }),
    fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
    fc.array(tie('params'), { maxLength: 3 }),
    fc.array(fc.tuple(text, tie('params')), { maxLength: 3 }).map((members) => JSON.parse(objectText(members))),
  ),
}))

describe(canonicalJson, () => {
  it('is equal for equal params only', () => {
    fc.assert(
      fc.property(params, params, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(meaning(a), meaning(b)))
      }),
      { numRuns: 2000 },
    )
  })

  it('is equal for every spelling of the same params', () => {
    fc.assert(fc.property(params, (value) => expect(canonicalJson(rewritten(value))).toBe(canonicalJson(value))))
  })

  it('is JSON of the same params', () => {
    fc.assert(fc.property(params, (value) => expect(JSON.parse(canonicalJson(value))).toEqual(meaning(value))))
  })

  it('writes hexadecimal values in lower case, and nothing else', () => {
    expect(canonicalJson({ '0xAB': '0xAB', b: 'AB', a: ['0XAB', 'Latest'] })).toBe('{"0xAB":"0xab","a":["0XAB","Latest"],"b":"AB"}')
  })

  it.each(['1e400', '-1e400', '9007199254740993', '1e300'])('refuses %s, which would be sent as another number', (number) => {
    expect(() => canonicalJson(JSON.parse(`[${number}]`))).toThrow(RpcFailure)
  })

  it('refuses params nested too deeply', () => {
    expect(() => canonicalJson(JSON.parse('['.repeat(5000) + ']'.repeat(5000)))).toThrow('params nested too deeply')
  })
})

/** The same in another order of members, and the hexadecimal values in upper case. */
function rewritten(value: unknown): unknown {
  if (typeof value === 'string') return /^0x[0-9a-fA-F]*$/.test(value) ? `0x${value.slice(2).toUpperCase()}` : value
  if (Array.isArray(value)) return value.map(rewritten)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, rewritten(member)] as const)
  return JSON.parse(objectText(members.toReversed()))
}

/** What two params have to agree in to be the same; written apart from the code it judges. */
function meaning(value: unknown): unknown {
  if (typeof value === 'string') return /^0x[0-9a-fA-F]*$/.test(value) ? value.toLowerCase() : value
  if (typeof value === 'number') return value + 0
  if (Array.isArray(value)) return value.map(meaning)
  if (typeof value !== 'object' || value === null) return value
  return JSON.parse(objectText(Object.entries(value).map(([name, member]) => [name, meaning(member)])))
}

// By way of JSON a member may be named __proto__.
function objectText(members: readonly (readonly [string, unknown])[]): string {
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`).join()}}`
}
