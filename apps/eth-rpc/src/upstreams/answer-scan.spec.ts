import fc from 'fast-check'
import { scanAnswer } from './answer-scan.js'
import { UpstreamFault } from './upstream-fault.js'

const big = { logs: Array.from({ length: 100 }, (_, i) => ({ data: `0x${'ab'.repeat(32)}`, logIndex: `0x${i}` })) }

describe(scanAnswer, () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"result":"0x1b4"}', '"0x1b4"'],
    ['{"jsonrpc":"2.0","id":1,"result":null}\n', 'null'],
    ['{"jsonrpc":"2.0","id":1,"result":{"a":[1,{"b":"}]"}]}}', '{"a":[1,{"b":"}]"}]}'],
    ['{"jsonrpc":"2.0","result":[],"id":1}', '[]'],
    ['{"id":1,"jsonrpc":"2.0","result":true}', 'true'],
    [' { "result" : -1.5e+3 , "id" : 1 } ', '-1.5e+3'],
    ['{"\\u0069d":1,"result":"\\""}', '"\\""'],
    ['{"jsonrpc":"2.0","id":1,"extra":{"error":1},"result":"0x"}', '"0x"'],
    ['{"jsonrpc":"2.0","id":1,"result":"0x","extra":{"a":[]}}', '"0x"'],
  ])('finds the result of %s', (text, json) => {
    const { outcome } = scanAnswer(Buffer.from(text))
    expect([outcome.member, outcome.json.toString()]).toEqual(['result', json])
  })

  it('finds a long result that contains member names', () => {
    const result = JSON.stringify([big, { id: 1, error: null }])
    expect(resultOf(`{"jsonrpc":"2.0","id":1,"result":${result}}`)).toBe(result)
    expect(resultOf(`{"jsonrpc":"2.0","result":${result},"id":1}`)).toBe(result)
  })

  it('finds an error and parses it', () => {
    const json = '{"code":3,"message":"execution reverted","data":"0x08c379a0"}'
    const { outcome, error } = scanAnswer(Buffer.from(`{"jsonrpc":"2.0","id":1,"error":${json}}`))
    expect(outcome).toEqual({ member: 'error', json: Buffer.from(json) })
    expect(error).toEqual({ code: 3, message: 'execution reverted', data: '0x08c379a0' })
  })

  it.each([
    ['nothing', ''],
    ['spaces', ' \n '],
    ['a page of HTML', '<!DOCTYPE html><html>Sign in</html>'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"result":"0x1"}]'],
    ['an empty object', '{}'],
    ['both', '{"jsonrpc":"2.0","id":1,"result":"0x1","error":{"code":1,"message":"x"}}'],
    ['both, the result in braces', '{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":{"code":1,"message":"x"}}'],
    ['both, the result long', `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(big)},"error":{"code":1,"message":"x"}}`],
    ['neither', '{"jsonrpc":"2.0","id":1}'],
    ['a result twice', '{"jsonrpc":"2.0","id":1,"result":"0x1","result":"0x2"}'],
    ['another id', '{"jsonrpc":"2.0","id":2,"result":"0x1"}'],
    ['the id as a string', '{"jsonrpc":"2.0","id":"1","result":"0x1"}'],
    ['no id', '{"jsonrpc":"2.0","result":"0x1"}'],
    ['the id null', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}'],
    ['another id behind', '{"jsonrpc":"2.0","result":"0x1","id":2}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"result":"0x1"}'],
    ['half an answer', '{"jsonrpc":"2.0","id":1,"result":"0x'],
    ['an answer without its last brace', '{"jsonrpc":"2.0","id":1,"result":{"a":1}'],
    ['an answer with a brace too many', '{"jsonrpc":"2.0","id":1,"result":{"a":1}}}'],
    ['the wrong bracket', '{"jsonrpc":"2.0","id":1,"result":{"a":[1}]}'],
    ['two answers', '{"jsonrpc":"2.0","id":1,"result":1}{"jsonrpc":"2.0","id":1,"result":1}'],
    ['NaN', '{"jsonrpc":"2.0","id":1,"result":NaN}'],
    ['NaN inside', '{"jsonrpc":"2.0","id":1,"result":[NaN]}'],
    ['no value', '{"jsonrpc":"2.0","id":1,"result":}'],
    ['a comma too many', '{"jsonrpc":"2.0","id":1,"result":1,}'],
    ['an error that is a string', '{"jsonrpc":"2.0","id":1,"error":"no"}'],
    ['an error that is null', '{"jsonrpc":"2.0","id":1,"error":null}'],
    ['an error whose code is a string', '{"jsonrpc":"2.0","id":1,"error":{"code":"3","message":"x"}}'],
    ['an error without message', '{"jsonrpc":"2.0","id":1,"error":{"code":3}}'],
    ['a long string that does not end', `{"jsonrpc":"2.0","id":1,"result":"0x${'00'.repeat(2000)}\\"}`],
    ['a long array that does not end', `{"jsonrpc":"2.0","id":1,"result":[${JSON.stringify(big)}}`],
  ])('rejects %s', (_, text) => {
    expect(() => scanAnswer(Buffer.from(text))).toThrow(expect.objectContaining({ name: 'UpstreamFault', kind: 'malformed' }))
  })

  it('agrees with JSON.parse on any answer', () => {
    fc.assert(
      fc.property(
        result(),
        fc.shuffledSubarray(['jsonrpc', 'id', 'result', 'extra'], { minLength: 4 }),
        space(),
        (result, order, space) => {
          const members: Record<string, unknown> = { jsonrpc: '2.0', id: 1, result, extra: { id: 2, error: '{' } }
          const answer = Object.fromEntries(order.map((name) => [name, members[name]]))
          const found = resultOf(`${space}${JSON.stringify(answer, undefined, space)}${space}`)
          expect(JSON.parse(found)).toEqual(JSON.parse(JSON.stringify(result)))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('agrees with JSON.parse on answers as nodes write them', () => {
    fc.assert(
      fc.property(result(), fc.boolean(), (result, isIdLast) => {
        const json = JSON.stringify(result)
        expect(resultOf(isIdLast ? `{"jsonrpc":"2.0","result":${json},"id":1}` : `{"jsonrpc":"2.0","id":1,"result":${json}}`)).toBe(json)
      }),
      { numRuns: 300 },
    )
  })

  it('throws only UpstreamFault, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), damaged()), (bytes) => {
        try {
          scanAnswer(Buffer.from(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(UpstreamFault)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('never accepts a truncated small answer', () => {
    const answer = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"a":{"b":[{"c":"}"}]},"d":[[1,"\\\\"]]}}`)
    for (let length = 0; length < answer.length; length++) expect(() => scanAnswer(answer.subarray(0, length))).toThrow(UpstreamFault)
  })
})

function resultOf(text: string): string {
  const { outcome } = scanAnswer(Buffer.from(text))
  expect(outcome.member).toBe('result')
  return outcome.json.toString()
}

function result(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 5 }),
    fc.string({ unit: 'binary', minLength: 500, maxLength: 2000 }),
    fc.array(fc.jsonValue(), { minLength: 30 }),
  )
}

function space(): fc.Arbitrary<string> {
  return fc.constantFrom('', ' ', '\n', '\t ', '\r\n')
}

/** A good answer with some bytes changed, taken out or put in. */
function damaged(): fc.Arbitrary<Uint8Array> {
  return fc.tuple(result(), fc.nat(), fc.nat({ max: 3 }), fc.uint8Array({ maxLength: 3 })).map(([result, place, taken, put]) => {
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(result)}}`)
    const at = place % bytes.length
    return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + taken)])
  })
}
