import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem } from '@trestle/problem/problem'

const LINGER_MS = 1000
const answered = new WeakSet<Socket>()

/** Answers what is not HTTP, or did not arrive in time; Fastify never sees these requests. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // The parser also reports what arrives after its first error.
  if (answered.has(socket)) return
  answered.add(socket)
  if (error.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) {
    socket.destroy()
    return
  }
  endWithProblem(socket, parserProblem(error) ?? new Problem('invalid', 'InvalidRequest', 'The HTTP request is malformed.'))
}

/** Refuses an expectation other than 100-continue (RFC 9110 section 10.1.1): Node's own response is empty. */
export function handleExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { body, fields } = responseOf(
    new Problem('expectation-failed', 'ExpectationFailed', 'The only expectation supported is 100-continue.'),
  )
  response.writeHead(417, fields).end(body)
}

/** Sends a problem on a bare socket and closes it. */
export function endWithProblem(socket: Duplex, problem: Problem, headers: Readonly<Record<string, string>> = {}): void {
  const { body, fields } = responseOf(problem, headers)
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.toJSON().title}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.on('error', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  linger(socket)
}

/** Closes an ended connection after the client had time to read the response: closing with unread bytes resets it. */
export function linger(socket: Duplex): void {
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.once('end', () => (socket instanceof Socket ? socket.destroySoon() : undefined))
}

/** Lets the answer to a request whose body is still coming reach the client: Node would close the connection, and reset it with the rest. */
export function closeGently(request: IncomingMessage): void {
  const { socket } = request
  if (request.complete || isEmpty(request)) return
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    socket.destroySoon = destroySoon
    if (request.complete) return destroySoon()
    request.resume()
    socket.end()
    linger(socket)
  }
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

function responseOf(problem: Problem, headers: Readonly<Record<string, string>> = {}) {
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

/** The problem behind an error of the parser or a time limit; undefined for what is not HTTP. */
export function parserProblem({ code }: NodeJS.ErrnoException): Problem | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('timeout', 'RequestTimeout', 'The request did not arrive in time.')
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('headers-too-large', 'HeadersTooLarge', 'The request line and headers are larger than 16 KiB.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Problem('too-large', 'BodyTooLarge', 'The chunk extensions of the body are larger than 16 KiB.')
  return undefined
}

/** Whether a response is being written to this connection: nothing may be written into it. */
function isResponding(socket: Socket & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}
