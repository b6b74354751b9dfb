import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Injectable } from '@nestjs/common'
import { RequestEngine } from '@trestle/gateway/request.engine'
import type { RequestContext } from '@trestle/gateway/request-context'
import { upgradeResponse } from '@trestle/gateway/upgrade-response'
import { Problem } from '@trestle/problem/problem'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { networkPrefixOf } from '@trestle/runtime/network-prefix'
import { clientAddressOf } from '@trestle/runtime/request'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { RPC_CODE, RpcFailure } from '../framing/rpc-error.js'
import type { LiveProject } from '../projects/live-project.js'
import { SubscriptionRegistry } from '../subscriptions/subscription-registry.engine.js'
import { CLOSE_CODE, WebSocketConnection } from '../subscriptions/web-socket-connection.engine.js'
import { OpenSockets, SOCKET_REFUSALS, type SocketOwner } from './open-sockets.engine.js'
import { RpcService } from './rpc.service.js'

const MESSAGE_BYTES = 5 * 1024 * 1024
/** In this process. A page of many users behind one address opens a few; the operator sets how many an address may. */
const MAX_SOCKETS = { project: 5000, user: 10_000, all: 20_000 }
/** A connection whose token or project has changed is closed so soon. */
const CHECK_MS = 1000
const PING_MS = 30_000

interface Upgrade {
  readonly socket: Socket
  readonly head: Buffer
  /** Of the request, once it is admitted. */
  requestId?: string
}

/** A connection, and the request that opened it: it is checked again and again. */
interface Session {
  readonly session: WebSocketConnection
  readonly id: string
  readonly requestId: string
  readonly opening: Pick<RequestContext, 'request' | 'address'>
  readonly owner: SocketOwner
  isAlive: boolean
}

/** `/v1/<project>` over WebSocket. */
@Injectable()
export class WebSocketEndpoint {
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES,
  })
  private readonly upgrades = new WeakMap<IncomingMessage, Upgrade>()
  private readonly sessions = new Map<WebSocket, Session>()

  /** None until it is registered. */
  openSockets = new OpenSockets({ ...MAX_SOCKETS, address: 0 })

  constructor(
    private readonly requests: RequestEngine<LiveProject>,
    private readonly rpc: RpcService,
    private readonly hub: SubscriptionRegistry,
    lifecycle: Lifecycle,
  ) {
    this.server.on('headers', (headers, request) => headers.push(`x-request-id: ${this.upgrades.get(request)?.requestId}`))
    const checks = setInterval(() => this.check(), CHECK_MS).unref()
    const pings = setInterval(() => this.ping(), PING_MS).unref()
    lifecycle.onDrain(() => {
      clearInterval(checks)
      clearInterval(pings)
      for (const { session } of this.sessions.values()) session.close(CLOSE_CODE.goingAway, 'the service stops; connect again')
    })
  }

  /** Routes each upgrade like any request: it is refused, counted and logged like one. */
  register(fastify: FastifyInstance, socketsPerAddress: number): void {
    this.openSockets = new OpenSockets({ ...MAX_SOCKETS, address: socketsPerAddress })
    fastify.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      this.upgrades.set(request, { socket, head })
      fastify.routing(request, upgradeResponse(request, socket))
    })
  }

  /** Undefined where the request asks for no WebSocket. */
  upgradeOf({ raw }: FastifyRequest): Upgrade | undefined {
    return this.upgrades.get(raw)
  }

  /** Throws an RpcFailure where it is refused. */
  async open(request: FastifyRequest<{ Params: { project: string } }>, reply: FastifyReply, upgrade: Upgrade): Promise<void> {
    const { socket, head } = upgrade
    const { project: id } = request.params
    const { id: requestId } = request
    const address = clientAddressOf(request)
    const opening = { request: request.raw, address: () => address }
    const project = await this.requests.admit(id, opening)
    project.key?.uses.note(opening)
    const owner = { address: networkPrefixOf(address), project: String(project.serial), user: project.access.ownerId }
    const limit = this.openSockets.limitReached(owner)
    if (limit) {
      this.openSockets.refused[limit]++
      throw tooManySockets(SOCKET_REFUSALS[limit])
    }
    upgrade.requestId = requestId
    reply.hijack()
    reply.raw.detachSocket(socket)
    this.server.handleUpgrade(request.raw, socket, head, (webSocket) => this.begin(webSocket, project, { id, requestId, opening, owner }))
    // For whatever tracks requests this one is over.
    reply.raw.emit('close')
  }

  private begin(socket: WebSocket, project: LiveProject, admitted: Pick<Session, 'id' | 'requestId' | 'opening' | 'owner'>): void {
    const opening = { project, requestId: admitted.requestId, ...admitted.opening }
    const state = { ...admitted, session: new WebSocketConnection(socket, this.rpc, this.hub, opening), isAlive: true }
    this.openSockets.add(state.owner)
    this.sessions.set(socket, state)
    socket.on('pong', () => {
      state.isAlive = true
    })
    socket.on('close', () => {
      this.sessions.delete(socket)
      this.openSockets.remove(state.owner)
    })
  }

  private check(): void {
    for (const session of this.sessions.values()) void this.recheck(session)
  }

  /** Repeats the check of every request, by the id that was asked for: one that was rotated ends. Applies what else has changed. */
  private async recheck({ session, id, opening }: Session): Promise<void> {
    try {
      session.project = await this.requests.recheck(id, opening)
      session.project.key?.uses.note(opening)
    } catch (error) {
      const reason = refusalOf(error)
      if (reason !== undefined) session.close(CLOSE_CODE.policy, reason)
    }
  }

  private ping(): void {
    for (const [socket, state] of this.sessions) {
      if (!state.isAlive) socket.terminate()
      state.isAlive = false
      socket.ping()
    }
  }
}

/** Another one may be opened when one of them is closed. */
function tooManySockets(message: string): RpcFailure {
  return new RpcFailure({ code: RPC_CODE.limit, message }, 429, { 'retry-after': '10' })
}

/** Undefined while nobody can say: a database that is away ends nothing. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof RpcFailure) return error.status === 404 ? 'the project is gone' : undefined
  return error instanceof Problem && error.status < 500 ? error.detail : undefined
}
