import type { ServerResponse } from 'node:http'
import type { Answer } from '../framing/answer.js'

/** Sends the body, behind the head that was written. */
export function endWith(response: ServerResponse, answer: Answer): void {
  const [only, ...more] = answer
  // As text it leaves in one piece with the head; latin1 is every byte as it is.
  if (only && more.length === 0) return void response.end(only.toString('latin1'), 'latin1')
  response.cork()
  for (const piece of answer) response.write(piece)
  response.end()
}
