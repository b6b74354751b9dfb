import { Injectable } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { frameworkProblem, sendProblem } from '@trestle/runtime/problem.filter'
import { clientAddressOf } from '@trestle/runtime/request'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Gateway } from './gateway.service.js'

// Enough for the largest transaction that nodes pass on, in hexadecimal.
const BODY_BYTES = 1024 * 1024

type RpcRequest = FastifyRequest<{ Params: { id: string } }>

/**
 * `/rpc/<id>` and `/rpc/<id>/rest/...`: raw Fastify routes, for Nest's pipeline costs as much as all the rest of a call, the body must go on
 * as it came, and the answer as it comes.
 */
@Injectable()
export class Door {
  constructor(private readonly gateway: Gateway) {}

  register(fastify: FastifyInstance): void {
    void fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      scope.setErrorHandler((error, _request, reply) => {
        const problem = error instanceof Problem ? error : frameworkProblem(error)
        void sendProblem(reply, problem ?? new Problem('invalid', 'InvalidRequest', 'The request is malformed.'))
      })
      scope.addHook('onRequest', (request, _reply, done) => done(isUpgrade(request) ? noWebSocket() : undefined))
      const config = { internal: true, quiet: true } as const
      const handler = (request: RpcRequest, reply: FastifyReply) => this.serve(request, reply)
      scope.route<{ Params: { id: string } }>({ url: '/rpc/:id', method: 'POST', bodyLimit: BODY_BYTES, config, handler })
      scope.route<{ Params: { id: string } }>({ url: '/rpc/:id/rest/*', method: ['GET', 'HEAD'], config, handler })
    })
  }

  private serve(request: RpcRequest, reply: FastifyReply): Promise<void> {
    const { id } = request.params
    const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
    reply.hijack()
    const { raw, body } = request
    // The path as it came: a node could read an escape in it otherwise than the router did.
    const path = request.method === 'POST' ? '' : (raw.url ?? '').slice(`/rpc/${id}`.length)
    return this.gateway.serve(id, path, {
      request: raw,
      response: reply.raw,
      headers,
      body: body as Buffer | undefined,
      address: () => clientAddressOf(request),
    })
  }
}

function isUpgrade({ headers }: FastifyRequest): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '')
}

// Not 426, which would ask for an upgrade to another protocol still (RFC 9110 section 15.5.22).
function noWebSocket(): Problem {
  return new Problem('invalid', 'NoWebSocket', 'Nodes are called by POST; there is no WebSocket here.')
}
