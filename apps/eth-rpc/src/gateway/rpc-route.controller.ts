import { Inject, Injectable } from '@nestjs/common'
import { QUORUM_HEADER } from '@trestle/contracts/eth-rpc/quorum'
import { addRawRoutes, RAW, RequestEngine } from '@trestle/gateway/request.engine'
import { sendAnswer, takeOver } from '@trestle/gateway/request-context'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EthRpcEnv } from '../env.js'
import { RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import type { LiveProject } from '../projects/live-project.js'
import { ENV } from '../settings.module.js'
import { preflightHeaders } from './cors.js'
import { RpcService } from './rpc.service.js'
import { WebSocketEndpoint } from './web-socket-endpoint.engine.js'

// As much as geth takes.
const BODY_BYTES = 5 * 1024 * 1024

type RpcRequest = FastifyRequest<{ Params: { project: string } }>

/** The routes of `/v1/<project>`, raw ones of Fastify: Nest's pipeline costs as much as all the rest of a call. */
@Injectable()
export class RpcRouteController {
  constructor(
    private readonly requests: RequestEngine<LiveProject>,
    private readonly rpc: RpcService,
    private readonly sockets: WebSocketEndpoint,
    @Inject(ENV) private readonly env: EthRpcEnv,
  ) {}

  register(fastify: FastifyInstance): void {
    this.sockets.register(fastify, this.env.SOCKETS_PER_ADDRESS)
    const onError = (error: Error, reply: FastifyReply) => this.refuse(reply.request, reply, tooLarge(error) ?? error)
    const route = { url: '/v1/:project', bodyLimit: BODY_BYTES, config: RAW }
    addRawRoutes(fastify, onError, (scope) => {
      scope.post<{ Params: { project: string } }>(route.url, route, (request, reply) =>
        this.requests.handle(request.params.project, takeOver(request, reply)),
      )
      scope.options<{ Params: { project: string } }>(route.url, route, (request, reply) => this.preflight(request, reply))
      scope.get<{ Params: { project: string } }>(route.url, route, (request, reply) => this.open(request, reply))
      scope.route({ ...route, method: ['PUT', 'PATCH', 'DELETE'], handler: (request, reply) => this.refuse(request, reply, notPost()) })
    })
  }

  private async open(request: RpcRequest, reply: FastifyReply): Promise<void> {
    try {
      const upgrade = this.sockets.upgradeOf(request)
      if (!upgrade) throw notPost()
      if (QUORUM_HEADER in request.headers) throw noQuorumHere()
      await this.sockets.open(request, reply, upgrade)
    } catch (error) {
      this.refuse(request, reply, error)
    }
  }

  private async preflight(request: RpcRequest, reply: FastifyReply): Promise<void> {
    // Any origin where there is no such project: a page cannot read a refused preflight, but it can read the refused call.
    const project = await this.requests.find(request.params.project).catch(() => undefined)
    const headers = preflightHeaders(request.headers.origin, project?.access.origins)
    sendAnswer(takeOver(request, reply), { status: 204, headers, type: '', body: [] })
  }

  private refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    this.rpc.refuse(takeOver(request, reply), error)
  }
}

function noQuorumHere(): RpcFailure {
  const message = `the header ${QUORUM_HEADER} is for calls over HTTP: calls over a WebSocket have the quorum of their project`
  return new RpcFailure({ code: RPC_CODE.invalidRequest, message }, 400)
}

function tooLarge(error: Error & { statusCode?: number }): RpcFailure | undefined {
  if (error.statusCode !== 413) return undefined
  return new RpcFailure({ code: RPC_CODE.limit, message: `the body is larger than ${BODY_BYTES} bytes: send fewer calls at once` }, 413)
}

function notPost(): RpcFailure {
  const message = 'calls are sent by POST, or over a WebSocket'
  return new RpcFailure({ code: RPC_CODE.invalidRequest, message }, 405, { allow: 'POST, OPTIONS' })
}
