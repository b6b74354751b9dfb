import type { IncomingMessage, ServerResponse } from 'node:http'
import { Injectable } from '@nestjs/common'
import type { DirectAnswer } from '@trestle/runtime/http-adapter'
import { Readiness } from '@trestle/runtime/readiness'
import { lengthOf } from '../framing/answer.js'
import { LiveProjects } from '../projects/live-projects.engine.js'
import { Admission } from './admission.service.js'
import { corsHeaders } from './cors.js'
import { type Exchange, Exchanges } from './exchanges.service.js'
import { endWith } from './http-answer.js'
import { HttpContext } from './http-context.js'

const PATH = /^\/v1\/([0-9a-f]{32})$/
// A larger body goes the long way, where its size is watched.
const MOST_BYTES = 64 * 1024
const CORS = Object.entries(corsHeaders(undefined)).flat()

/**
 * The usual call, answered before Fastify sees it: of a project that is in memory and does not ask where calls come from, by a token that was
 * seen before where it wants one. `RpcDoor` would answer it just the same, and answers all others.
 */
@Injectable()
export class ShortWay {
  constructor(
    private readonly projects: LiveProjects,
    private readonly admission: Admission,
    private readonly exchanges: Exchanges,
    private readonly readiness: Readiness,
  ) {}

  /** Undefined for whatever is not usual. */
  find(request: IncomingMessage, url: string): DirectAnswer | undefined {
    if (!isUsual(request) || this.readiness.stopping) return undefined
    const id = PATH.exec(url)?.[1]
    const project = id === undefined ? undefined : this.projects.known(id)
    if (!project || !this.admission.admitsAtOnce(project, request)) return undefined
    return (response, headers) => {
      const context = new HttpContext(project, response)
      read(request, (body) => void this.exchanges.serve(body, context, (exchange) => send(response, headers, exchange)))
    }
  }
}

function isUsual({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    headers['content-type'] === 'application/json' &&
    headers['content-encoding'] === undefined &&
    Number(headers['content-length']) <= MOST_BYTES
  )
}

/** Of a body that breaks off nothing is told: nobody is there any more. */
function read(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  let body: Buffer | undefined
  request.on('data', (chunk: Buffer) => {
    body = body ? Buffer.concat([body, chunk]) : chunk
  })
  request.on('end', () => done(body))
}

function send(response: ServerResponse, common: readonly string[], { status, answer, headers }: Exchange): void {
  const length = lengthOf(answer)
  const head = [...common, ...CORS]
  if (headers) head.push(...Object.entries(headers).flat())
  if (length > 0) head.push('content-type', 'application/json', 'content-length', String(length))
  response.writeHead(status, head)
  endWith(response, answer)
}
