import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { Logger } from '@trestle/runtime/logger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, answerTo, lengthOf } from '../framing/answer.js'
import { errorOf } from '../framing/outcome.js'
import { CODE, RpcFailure, unforeseen } from '../framing/rpc-error.js'
import { Admission } from './admission.service.js'
import { corsHeaders, preflightHeaders } from './cors.js'
import { Exchanges } from './exchanges.service.js'
import { endWith } from './http-answer.js'
import { HttpContext } from './http-context.js'
import { isJson } from './media-type.js'
import { SocketDoor } from './socket-door.service.js'

// As much as geth takes.
const BODY_BYTES = 5 * 1024 * 1024

type RpcRequest = FastifyRequest<{ Params: { project: string } }>

/**
 * `/v1/<project>`: a raw Fastify route, for Nest's pipeline costs as much as all the rest of a call,
 * and everything that is said here is JSON-RPC, refusals too.
 */
@Injectable()
export class RpcDoor {
  constructor(
    private readonly admission: Admission,
    private readonly exchanges: Exchanges,
    private readonly sockets: SocketDoor,
    private readonly logger: Logger,
  ) {}

  register(fastify: FastifyInstance): void {
    this.sockets.register(fastify)
    void fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      scope.setErrorHandler((error, _request, reply) => refuse(reply, this.failureOf(error)))
      const route = { url: '/v1/:project', bodyLimit: BODY_BYTES, config: { internal: true, quiet: true } } as const
      scope.route<{ Params: { project: string } }>({ ...route, method: 'POST', handler: (request, reply) => this.serve(request, reply) })
      scope.route<{ Params: { project: string } }>({
        ...route,
        method: 'OPTIONS',
        handler: (request, reply) => this.preflight(request, reply),
      })
      scope.route<{ Params: { project: string } }>({ ...route, method: 'GET', handler: (request, reply) => this.open(request, reply) })
      scope.route({ ...route, method: ['PUT', 'PATCH', 'DELETE'], handler: (_request, reply) => refuse(reply, notPost()) })
    })
  }

  private async serve(request: RpcRequest, reply: FastifyReply): Promise<void> {
    const { origin } = request.headers
    let headers = corsHeaders(origin)
    try {
      checkBody(request.headers)
      const found = this.admission.find(request.params.project)
      const project = found instanceof Promise ? await found : found
      headers = corsHeaders(origin, project.origins)
      const admitted = this.admission.admit(project, request)
      if (admitted) await admitted
      await this.exchanges.serve(request.body as Buffer | undefined, new HttpContext(project, reply.raw), (exchange) =>
        send(reply, exchange.status, exchange.answer, { ...headers, ...exchange.headers }),
      )
    } catch (error) {
      refuse(reply, refusalOf(error), headers)
    }
  }

  private async open(request: RpcRequest, reply: FastifyReply): Promise<void> {
    try {
      const upgrade = this.sockets.upgradeOf(request)
      if (!upgrade) throw notPost()
      await this.sockets.open(request, reply, upgrade)
    } catch (error) {
      refuse(reply, refusalOf(error))
    }
  }

  private async preflight({ headers: { origin }, params }: RpcRequest, reply: FastifyReply): Promise<void> {
    send(reply, 204, [], preflightHeaders(origin, await this.originsOf(params.project)))
  }

  /** Of what is wrong before a call is looked at, or what nobody foresaw. */
  private failureOf(error: unknown): RpcFailure {
    const { statusCode = 500, message } = error as { statusCode?: number; message: string }
    if (statusCode === 413) return new RpcFailure({ code: CODE.limit, message: `the body is larger than ${BODY_BYTES} bytes` }, 413)
    if (error instanceof Problem) return new RpcFailure({ code: CODE.invalidRequest, message: error.detail }, error.status, error.headers)
    if (statusCode < 500) return new RpcFailure({ code: CODE.invalidRequest, message }, statusCode)
    this.logger.error({ err: error }, 'a request failed')
    return unforeseen()
  }

  /** Any where there is no such project: what a page calls then tells it so, but of a refused preflight it can read nothing. */
  private async originsOf(id: string): Promise<ReadonlySet<string> | undefined> {
    try {
      return (await this.admission.find(id)).origins
    } catch {
      return undefined
    }
  }
}

function refuse(reply: FastifyReply, { error, status, headers }: RpcFailure, cors = corsHeaders(undefined)): void {
  send(reply, status, answerTo('null', errorOf(error)), { ...cors, ...headers })
}

function send(reply: FastifyReply, status: number, answer: Answer, headers: Readonly<Record<string, string>>): void {
  const { raw } = reply
  const length = lengthOf(answer)
  const body = length > 0 && { 'content-type': 'application/json', 'content-length': length }
  // Those every answer of a service has.
  const common = reply.getHeaders() as Record<string, string>
  reply.hijack()
  reply.request.bytesOut = length
  raw.writeHead(status, Object.assign(common, headers, body))
  endWith(raw, answer)
}

/** Any other error goes on, to the error handler. */
function refusalOf(error: unknown): RpcFailure {
  if (error instanceof RpcFailure) return error
  throw error
}

function notPost(): RpcFailure {
  const message = 'calls are sent by POST, or over a WebSocket'
  return new RpcFailure({ code: CODE.invalidRequest, message }, 405, { allow: 'POST, OPTIONS' })
}

function checkBody({ 'content-type': type, 'content-encoding': encoding = 'identity' }: FastifyRequest['headers']): void {
  if (!isJson(type)) throw wrongType('invalid content type, only application/json is supported')
  if (encoding !== 'identity') throw wrongType('a body with a content encoding is not accepted')
}

function wrongType(message: string): RpcFailure {
  return new RpcFailure({ code: CODE.invalidRequest, message }, 415)
}
