import { Injectable } from '@nestjs/common'
import { addRawRoutes, RAW, RequestEngine } from '@trestle/gateway/request.engine'
import { takeOver } from '@trestle/gateway/request-context'
import { Problem } from '@trestle/problem/problem'
import { frameworkProblem, sendProblem } from '@trestle/runtime/problem.filter'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServedWorkload } from './live-workloads.engine.js'

// Enough for the largest transaction that nodes pass on, in hexadecimal.
const BODY_BYTES = 1024 * 1024

/**
 * The routes of `/rpc/<id>`, raw ones of Fastify: Nest's pipeline costs as much as all the rest of a call, the body must be passed on unchanged,
 * and the answer while it arrives.
 */
@Injectable()
export class WorkloadRouteController {
  constructor(private readonly requests: RequestEngine<ServedWorkload>) {}

  register(fastify: FastifyInstance): void {
    addRawRoutes(fastify, refuse, (scope) => {
      scope.addHook('onRequest', (request, _reply, done) => done(isUpgrade(request) ? noWebSocket() : undefined))
      scope.post<{ Params: { id: string } }>('/rpc/:id', { bodyLimit: BODY_BYTES, config: RAW }, (request, reply) =>
        this.requests.handle(request.params.id, takeOver(request, reply)),
      )
      scope.route<{ Params: { id: string } }>({
        url: '/rpc/:id/rest/*',
        method: ['GET', 'HEAD'],
        config: RAW,
        handler: (request, reply) => this.requests.handle(request.params.id, takeOver(request, reply), restPathOf(request)),
      })
    })
  }
}

/** The path as it came: a node could read an escape in it otherwise than the router did. */
function restPathOf({ raw, params }: FastifyRequest<{ Params: { id: string } }>): string {
  return (raw.url ?? '').slice(`/rpc/${params.id}`.length)
}

function refuse(error: Error, reply: FastifyReply): void {
  const problem = error instanceof Problem ? error : frameworkProblem(error, reply.request)
  void sendProblem(reply, problem ?? new Problem('invalid', 'InvalidRequest', 'The request is malformed.'))
}

function isUpgrade({ headers }: FastifyRequest): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '')
}

// Not 426, which would ask for an upgrade to another protocol still (RFC 9110 section 15.5.22).
function noWebSocket(): Problem {
  return new Problem('invalid', 'NoWebSocket', 'Nodes are called by POST; there is no WebSocket here.')
}
