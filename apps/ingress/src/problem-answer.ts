import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problem } from '@trestle/problem/problem'

// Time for the peer to read the answer before what it still sends makes the kernel reset the connection.
const LINGER_MS = 1000

export function sendProblem(outgoing: ServerResponse, problem: Problem, requestId: string): void {
  const body = bodyOf(problem, requestId)
  outgoing.writeHead(problem.status, headersOf(problem, body, requestId)).end(body)
}

/** Answers where no request could be read, and closes the connection. */
export function refuse(socket: Duplex, problem: Problem, requestId: string): void {
  const body = bodyOf(problem, requestId)
  const headers = { ...headersOf(problem, body, requestId), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${problem.toJSON().title}\r\n${lines.join('')}\r\n${body}`)
  letGo(socket)
}

/** Closes a connection that has been ended, once the peer has had time to read what was sent. */
export function letGo(socket: Duplex): void {
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function bodyOf(problem: Problem, requestId: string): string {
  return JSON.stringify({ ...problem.toJSON(), requestId })
}

function headersOf(problem: Problem, body: string, requestId: string): Record<string, string> {
  return {
    ...problem.headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
  }
}
