import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { FakeServer } from '@trestle/testing/fake-server'

export interface ReceivedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: string
  readonly authorization?: string
}

interface FakeReply {
  readonly status?: number
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown
}

type Answer = FakeReply | ((asked: ReceivedRequest) => FakeReply)

/** A node or a signer with the responses that a test sets. Any other path is a 404. */
export class FakeUpstream extends FakeServer {
  readonly asked: ReceivedRequest[] = []
  /** By method and path without its query, such as `GET /eth/v1/keystores`. */
  readonly answers: Record<string, Answer>
  /** Takes over the whole of an answer. */
  takeOver?: (response: ServerResponse, request: IncomingMessage) => void

  private constructor(answers: Record<string, Answer>) {
    super()
    this.answers = { ...answers }
  }

  static start(answers: Record<string, Answer> = {}): Promise<FakeUpstream> {
    return new FakeUpstream(answers).listen()
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const asked = { method, path: url, body: await text(request), authorization: headers.authorization }
    this.asked.push(asked)
    if (this.takeOver) return this.takeOver(response, request)
    const answer = this.answers[`${method} ${url.split('?')[0]}`] ?? { status: 404, body: { code: 404, message: 'Not found' } }
    const { status = 200, body } = typeof answer === 'function' ? answer(asked) : answer
    response.writeHead(status, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
  }
}

/** Invalid responses, with a name for test titles. */
export const NONSENSE: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['no JSON', (response) => response.end('<html>welcome</html>')],
  ['nothing', (response) => response.end()],
  ['JSON of another form', (response) => response.end('{"data":7}')],
  ['null', (response) => response.end('null')],
  ['a failure', (response) => response.writeHead(500).end('{"code":500,"message":"oops"}')],
  ['that it is busy', (response) => response.writeHead(503).end()],
  ['half an answer', (response) => response.writeHead(200, { 'content-length': '1000' }).write('{"data":[', () => response.destroy())],
  ['by hanging up', (response) => response.destroy()],
]
