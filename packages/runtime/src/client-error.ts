import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem } from '@trestle/problem/problem'

const LINGER_MS = 1000
const answered = new WeakSet<Socket>()

/** Answers what is no HTTP request, or did not become one in time; Fastify never sees these. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // The parser reports what still arrives after its first error, too.
  if (answered.has(socket)) return
  answered.add(socket)
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  refuse(socket, parserProblem(error) ?? new Problem('invalid', 'InvalidRequest', 'This is not a well-formed HTTP request.'))
}

/** Answers an expectation other than 100-continue (RFC 9110 section 10.1.1): Node's own answer is empty. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { body, fields } = answerOf(
    new Problem('expectation-failed', 'ExpectationFailed', 'The only expectation met here is 100-continue.'),
  )
  response.writeHead(417, fields).end(body)
}

/** Sends a problem on a bare socket and closes it. */
export function refuse(socket: Duplex, problem: Problem, headers: Readonly<Record<string, string>> = {}): void {
  const { body, fields } = answerOf(problem, headers)
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.toJSON().title}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.on('error', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  linger(socket)
}

/** Closes a connection that was ended, once the client has had time to read the answer: closing over unread bytes resets it. */
export function linger(socket: Duplex): void {
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.once('end', () => (socket instanceof Socket ? socket.destroySoon() : undefined))
}

function answerOf(problem: Problem, headers: Readonly<Record<string, string>> = {}) {
  const requestId = randomUUID()
  const body = JSON.stringify({ ...problem.toJSON(), requestId })
  const fields = {
    ...headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  }
  return { body, fields }
}

/** What the parser or a time limit refused; undefined where it is no HTTP at all. */
export function parserProblem({ code }: NodeJS.ErrnoException): Problem | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('timeout', 'RequestTimeout', 'The request did not arrive in time.')
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('headers-too-large', 'HeadersTooLarge', 'The request line and headers are larger than 16 KiB.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Problem('too-large', 'BodyTooLarge', 'The chunk extensions of the body are larger than 16 KiB.')
  return undefined
}

/** Whether an answer to an earlier part of the same connection is on its way: nothing may be written into it. */
function isAnswering(socket: Socket & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}
