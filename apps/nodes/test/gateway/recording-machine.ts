import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Answering = (response: ServerResponse, received: RecordedRequest) => unknown

/** A machine that remembers what it was sent, and answers what the test says. */
export async function startRecordingMachine() {
  const received: RecordedRequest[] = []
  let answer: Answering = echoBody
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: await text(request) }
    received.push(one)
    answer(response, one)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Forgets what it was sent; from now on it answers so. */
    answers(with_: Answering = echoBody) {
      received.length = 0
      answer = with_
    },
    connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
export type RecordingMachine = Awaited<ReturnType<typeof startRecordingMachine>>

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Each call's method is its result. */
export function echoBody(response: ServerResponse, { body }: RecordedRequest): void {
  const calls = JSON.parse(body || '{}')
  const one = ({ id, method }: { id: unknown; method: string }) => ({ jsonrpc: '2.0', id, result: method })
  json(response, Array.isArray(calls) ? calls.map(one) : one(calls))
}
