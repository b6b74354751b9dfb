import { answerTo, batchAnswer, lengthOf, type RpcAnswer } from './answer.js'
import { errorOf, resultOf } from './outcome.js'

describe(answerTo, () => {
  it('joins the id and the outcome unchanged', () => {
    expect(text(answerTo('"ä"', resultOf({ a: 'ö' })))).toBe('{"jsonrpc":"2.0","id":"ä","result":{"a":"ö"}}')
    expect(text(answerTo('1.0', errorOf({ code: -32000, message: 'no' })))).toBe(
      '{"jsonrpc":"2.0","id":1.0,"error":{"code":-32000,"message":"no"}}',
    )
  })

  it('does not copy a large result', () => {
    const large = resultOf('x'.repeat(100_000))
    const answer = answerTo('1', large)
    expect(answer).toContain(large.json)
    expect(JSON.parse(text(answer))).toEqual({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(100_000) })
  })
})

describe(batchAnswer, () => {
  it('keeps the order', () => {
    const answer = batchAnswer([answerTo('2', resultOf(true)), answerTo('1', resultOf('y'.repeat(20_000)))])
    expect(JSON.parse(text(answer)).map(({ id }: { id: number }) => id)).toEqual([2, 1])
    expect(lengthOf(answer)).toBe(Buffer.byteLength(text(answer)))
  })
})

function text(answer: RpcAnswer): string {
  return Buffer.concat(answer).toString()
}
