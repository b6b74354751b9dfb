import fc from 'fast-check'
import { canonicalAnswer } from './canonical-answer.js'

function canonical(member: 'result' | 'error', json: unknown): string | undefined {
  return canonicalAnswer({ member, json: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)) })
}

describe(canonicalAnswer, () => {
  it.each([
    ['the order of members', '{"a":"0x1","b":"0x2"}', '{"b":"0x2","a":"0x1"}'],
    ['space', '{"a":["0x1","0x2"]}', '{ "a" : [ "0x1",\n"0x2" ] }'],
    ['the case of digits', '"0xAB"', '"0xab"'],
    ['a member that is null or left out', '{"to":null,"a":"0x1"}', '{"a":"0x1"}'],
    ['members that some clients add', '{"hash":"0x1","totalDifficulty":"0x0","size":"0x220"}', '{"hash":"0x1","size":"0x221"}'],
    ['the time of a block in its logs', '[{"data":"0x","blockTimestamp":"0x1"}]', '[{"data":"0x"}]'],
    ['the parity of a transaction', '{"transactions":[{"v":"0x1","yParity":"0x1"}]}', '{"transactions":[{"v":"0x1"}]}'],
  ])('does not depend on %s', (_, one, other) => {
    expect(canonical('result', one)).toBe(canonical('result', other))
    expect(canonical('result', one)).toBeDefined()
  })

  it.each([
    ['another value', '"0x1"', '"0x2"'],
    ['zeros before it: of bytes they matter', '"0x01"', '"0x1"'],
    ['null instead of a value', 'null', '"0x0"'],
    ['a log less', '[{"data":"0x"},{"data":"0x1"}]', '[{"data":"0x"}]'],
    ['logs in another order', '[{"data":"0x"},{"data":"0x1"}]', '[{"data":"0x1"},{"data":"0x"}]'],
    ['text in another case', '"Abc"', '"abc"'],
    ['text that looks like members', '{"a":"0x1\\",\\"b\\":\\"0x2"}', '{"a":"0x1","b":"0x2"}'],
    ['a name that looks like two', '{"a\\"b":"0x1"}', '{"a":"0x1","b":"0x1"}'],
    ['a member more', '{"a":"0x1"}', '{"a":"0x1","b":"0x0"}'],
  ])('tells %s apart', (_, one, other) => {
    expect(canonical('result', one)).not.toBe(canonical('result', other))
  })

  it('takes an error for no result', () => {
    expect(canonical('error', { code: 3, message: 'execution reverted' })).not.toBe(canonical('result', '"0x"'))
  })

  it.each([
    [
      { code: 3, message: 'execution reverted: no', data: '0x08C379a0' },
      { code: -32015, message: 'VM execution error.', data: 'Reverted 0x08c379a0' },
    ],
    [
      { code: 3, message: 'execution reverted', data: '0x' },
      { code: -32000, message: 'execution reverted' },
    ],
    [
      { code: -32000, message: 'out of gas: gas required exceeds: 1' },
      { code: -32000, message: 'invalid opcode: INVALID' },
    ],
    [
      { code: -32602, message: 'invalid argument 0: hex string without 0x prefix' },
      { code: -32602, message: 'Invalid params' },
    ],
    [
      { code: -32000, message: 'insufficient funds for gas * price + value' },
      { code: -32003, message: 'Insufficient funds for gas * price' },
    ],
  ])('knows errors of different clients that mean the same: %j', (one, other) => {
    expect(canonical('error', one)).toBe(canonical('error', other))
  })

  it.each([
    [
      { code: 3, message: 'execution reverted', data: '0x01' },
      { code: 3, message: 'execution reverted', data: '0x02' },
    ],
    [
      { code: 3, message: 'execution reverted', data: '0x' },
      { code: -32000, message: 'out of gas' },
    ],
    [
      { code: -32000, message: 'nonce too low' },
      { code: -32000, message: 'nonce too high' },
    ],
  ])('tells errors of other meanings apart: %j', (one, other) => {
    expect(canonical('error', one)).not.toBe(canonical('error', other))
  })

  it.each([
    ['a member that stands twice', '{"status":"0x0","status":"0x1"}'],
    ['one that stands twice further down', '[{"logs":[{"data":"0x1","data" : "0x2"}]}]'],
    ['a number beyond 2^53', '{"a":9007199254740993}'],
    ['more than can be compared without making others wait', JSON.stringify('x'.repeat(5_000_000))],
    ['what is no JSON', '{"a":'],
    ['more nested than any answer', '['.repeat(70) + ']'.repeat(70)],
  ])('compares nothing that could be read in two ways: %s', (_, json) => {
    expect(canonical('result', json)).toBeUndefined()
  })

  it('reads names and colons in text as text', () => {
    expect(canonical('result', JSON.stringify({ a: '"b":"c"', 'd\\': '": ' }))).toBeDefined()
  })

  it('is the same for the same value, whatever its members, and compares all JSON that is not too large', () => {
    const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: false } as object)
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value)
        fc.pre(!/\d{16}|e\+/.test(text))
        expect(canonical('result', text)).toBe(canonical('result', JSON.stringify(value, null, 2)))
        expect(canonical('result', text)).toBeDefined()
      }),
    )
  })
})
