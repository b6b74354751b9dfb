import type { CallOutcome } from '../framing/outcome.js'
import { isSameAnswer } from './answer-comparison.js'

describe(isSameAnswer, () => {
  it.each([
    ['"0x1"', '"0x1"', true],
    ['"0x1"', '"0x2"', false],
    ['"0xAB"', '"0xab"', true],
    ['{"a":1,"b":[2]}', '{ "b": [2], "a": 1 }', true],
    ['{"a":1}', '{"a":1,"b":null}', false],
    ['[1,2]', '[2,1]', false],
    ['null', '"0x"', false],
    ['12345678901234567890', '12345678901234567890', true],
    ['12345678901234567890', '12345678901234567891', false],
  ])('of %s and %s is %s', (one, other, expected) => {
    expect(isSameAnswer(result(one), result(other))).toBe(expected)
  })

  it('takes two errors for the same, whatever their words, and an error and a result for different', () => {
    const error = (message: string): CallOutcome => ({ member: 'error', json: Buffer.from(`{"code":3,"message":"${message}"}`) })
    expect(isSameAnswer(error('execution reverted'), error('VM Exception'))).toBe(true)
    expect(isSameAnswer(error('execution reverted'), result('"0x"'))).toBe(false)
  })
})

function result(json: string): CallOutcome {
  return { member: 'result', json: Buffer.from(json) }
}
