import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Problem } from '@trestle/problem/problem'
import type { Reply, Rest } from './exchange.js'
import { MachineFault, problemOf } from './machine-fault.js'

/** A request as it came in by one of the doors, and the way to answer it. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Those every answer has, names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer | undefined
  address(): string
}

const JSON_TYPE = 'application/json'
/** Up to so much leaves in one piece with the head. */
const ONE_PIECE_BYTES = 16 * 1024

/** Passes on what a machine answered; answers how many bytes that were. A Problem where it breaks off. */
export async function answerWith(visit: Visit, reply: Reply): Promise<number> {
  const { rest, body } = reply
  if (rest) return pass(visit, reply, rest)
  send(visit, reply)
  return body.length
}

export function sendJson(visit: Visit, status: number, text: string): void {
  send(visit, { status, type: JSON_TYPE, body: Buffer.from(text) })
}

export function sendProblem(visit: Visit, problem: Problem): void {
  // Half an answer cannot be taken back; only breaking it off tells the client that it is no whole one.
  if (visit.response.headersSent) return void visit.response.destroy()
  const [, requestId] = visit.headers.slice(visit.headers.indexOf('x-request-id'))
  const body = Buffer.from(JSON.stringify({ ...problem.toJSON(), requestId }))
  const type = 'application/problem+json; charset=utf-8'
  send(visit, { status: problem.status, type, body }, Object.entries(problem.headers).flat())
}

/** Takes what is to be done when whoever asked is gone before the answer was. */
export function leavingOf({ response }: Visit): (leave: () => void) => void {
  const leaves: (() => void)[] = []
  response.once('close', () => {
    if (!response.writableFinished) for (const leave of leaves) leave()
  })
  return (leave) => leaves.push(leave)
}

function send({ request, response, headers }: Visit, { status, type, body }: Reply, more: readonly string[] = []): void {
  response.writeHead(status, [...headers, ...more, 'content-type', type ?? JSON_TYPE, 'content-length', String(body.length)])
  if (request.method === 'HEAD') response.end()
  // As text it leaves in one piece with the head; latin1 is every byte as it is.
  else if (body.length <= ONE_PIECE_BYTES) response.end(body.toString('latin1'), 'latin1')
  else response.end(body)
}

async function pass({ response, headers }: Visit, { status, type, body }: Reply, rest: Rest): Promise<number> {
  const length = rest.length === undefined ? [] : ['content-length', String(rest.length)]
  response.writeHead(status, [...headers, 'content-type', type ?? JSON_TYPE, ...length])
  response.write(body)
  try {
    const bytes = await rest.pipe(response)
    response.end()
    return bytes
  } catch (error) {
    throw error instanceof MachineFault ? problemOf(error) : error
  }
}
