import type { CallOutcome } from './outcome.js'
import type { Id } from './request.js'

/** The parts of an answer, in order; a large result is not copied. */
export type RpcAnswer = readonly Buffer[]

/** Up to this size one buffer is cheaper than three writes. */
const SMALL = 16 * 1024

const AFTER = Buffer.from('}')

/** `{"jsonrpc":"2.0","id":…,"result":…}` around the outcome of the call. */
export function answerTo(id: Id, { member, json }: CallOutcome): RpcAnswer {
  const before = `{"jsonrpc":"2.0","id":${id},"${member}":`
  if (json.length > SMALL) return [Buffer.from(before), json, AFTER]
  const head = Buffer.byteLength(before)
  const answer = Buffer.allocUnsafe(head + json.length + 1)
  answer.write(before)
  json.copy(answer, head)
  answer[answer.length - 1] = 0x7d
  return [answer]
}

/** The answers of a batch, in the order of its calls. */
export function batchAnswer(answers: readonly RpcAnswer[]): RpcAnswer {
  const parts = answers.flatMap((answer, i) => (i === 0 ? answer : [COMMA, ...answer]))
  return [OPEN, ...parts, CLOSE]
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')

export function lengthOf(answer: RpcAnswer): number {
  let length = 0
  for (const part of answer) length += part.length
  return length
}
