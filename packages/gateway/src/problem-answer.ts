import type { Problem } from '@trestle/problem/problem'
import { type RequestContext, sendAnswer } from './request-context.js'

const TYPE = 'application/problem+json; charset=utf-8'

/** Answers with a problem, or breaks off an answer that has begun: half an answer cannot be taken back. */
export function answerWithProblem(context: Pick<RequestContext, 'request' | 'response' | 'headers'>, problem: Problem): void {
  const { response, headers } = context
  if (response.headersSent) return void response.destroy()
  const requestId = headers[headers.indexOf('x-request-id') + 1]
  const body = Buffer.from(JSON.stringify({ ...problem.toJSON(), requestId }))
  sendAnswer(context, { status: problem.status, headers: Object.entries(problem.headers).flat(), type: TYPE, body: [body] })
}
