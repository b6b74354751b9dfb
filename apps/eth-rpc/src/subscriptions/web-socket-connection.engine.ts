import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RawData, WebSocket } from 'ws'
import { CallAbort, type CallSignal } from '../call-signal.js'
import type { RpcAnswer } from '../framing/answer.js'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { RPC_CODE, RpcFailure, unavailable } from '../framing/rpc-error.js'
import type { CallContext, Subscriber } from '../gateway/call-context.js'
import type { RpcService } from '../gateway/rpc.service.js'
import type { LiveProject } from '../projects/live-project.js'
import { countCall } from '../usage/project-usage.js'
import type { Notification } from './notification.js'
import type { RpcSubscription, SubscriptionRegistry } from './subscription-registry.engine.js'
import { subscriptionRequest } from './subscription-request.js'

const MAX_SUBSCRIPTIONS = 1000
/** Messages of one connection in progress; further ones are not read. */
const MAX_IN_PROGRESS = 100
/** A client with so many unread bytes does not read. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024

const CLOSING_MS = 5_000

// RFC 6455 section 7.4.1.
export const CLOSE_CODE = { goingAway: 1001, policy: 1008 } as const

/** What a connection was opened with. */
interface OpeningRequest {
  readonly project: LiveProject
  readonly requestId: string
  readonly request: IncomingMessage
  address(): string
}

/** One WebSocket of a caller: its calls and its subscriptions. */
export class WebSocketConnection implements CallContext, Subscriber {
  readonly subscriptions = this
  /** Replaced when it changes while the connection is open. */
  project: LiveProject
  readonly requestId: string
  readonly address: () => string
  private readonly request: IncomingMessage
  private readonly leaving = new CallAbort()
  private readonly listeners = new Map<string, RpcSubscription>()
  /** Subscriptions not answered yet: no notification may come before the answer. */
  private readonly unanswered: string[] = []
  private inProgress = 0

  constructor(
    private readonly socket: WebSocket,
    private readonly rpc: RpcService,
    private readonly hub: SubscriptionRegistry,
    { project, requestId, address, request }: OpeningRequest,
  ) {
    this.project = project
    this.requestId = requestId
    this.address = address
    this.request = request
    socket.on('message', (data: RawData) => this.receive(data as Buffer))
    socket.on('close', () => this.end())
    // A close follows.
    socket.on('error', () => {})
  }

  get quorum(): CallContext['quorum'] {
    return this.project.quorum
  }

  get signal(): CallSignal {
    return this.leaving
  }

  caller(): string | undefined {
    return this.project.tokens?.callerOf(this.request)
  }

  subscribe(params: readonly unknown[]): CallOutcome {
    if (this.listeners.size >= MAX_SUBSCRIPTIONS) {
      throw new RpcFailure({ code: RPC_CODE.limit, message: `more than ${MAX_SUBSCRIPTIONS} subscriptions on one connection` })
    }
    const id = `0x${randomBytes(16).toString('hex')}`
    const listener = { ...subscriptionRequest(params), notify: (notification: Notification) => this.send(notification.to(id)) }
    this.listeners.set(id, listener)
    this.unanswered.push(id)
    return resultOf(id)
  }

  unsubscribe([id]: readonly unknown[]): CallOutcome {
    const listener = typeof id === 'string' ? this.listeners.get(id) : undefined
    // The words of geth.
    if (!listener) throw new RpcFailure({ code: RPC_CODE.server, message: 'subscription not found' })
    this.listeners.delete(id as string)
    this.hub.remove(listener)
    return resultOf(true)
  }

  /** What the client still sends is not read; it has a moment to close its side. */
  close(code: number, reason: string): void {
    if (this.leaving.aborted) return
    this.end()
    this.socket.close(code, reason)
    setTimeout(() => this.socket.terminate(), CLOSING_MS).unref()
  }

  private receive(data: Buffer): void {
    if (this.leaving.aborted) return
    if (++this.inProgress >= MAX_IN_PROGRESS) this.socket.pause()
    void this.rpc.respond(data, this, ({ answer }) => this.reply(answer))
  }

  private reply(answer: RpcAnswer): void {
    if (--this.inProgress < MAX_IN_PROGRESS && this.socket.isPaused) this.socket.resume()
    if (answer.length > 0) this.write(answer.length === 1 ? (answer[0] as Buffer) : Buffer.concat(answer))
    this.startAnswered()
  }

  private startAnswered(): void {
    for (const id of this.unanswered.splice(0)) {
      const listener = this.listeners.get(id)
      if (listener) this.hub.add(listener)
    }
  }

  /** Sends a notification. */
  private send(message: Buffer): void {
    countCall(this.project.meter, 'eth_subscribe', {
      computeUnits: 0,
      bytesOut: message.length,
      failed: false,
      cached: true,
      ms: undefined,
    })
    this.write(message)
  }

  private write(message: Buffer): void {
    this.socket.send(message, { binary: false })
    // What is not read stays in our memory.
    if (this.socket.bufferedAmount > MAX_UNREAD_BYTES) this.socket.terminate()
  }

  private end(): void {
    this.leaving.abort(unavailable('the caller is gone'))
    for (const listener of this.listeners.values()) this.hub.remove(listener)
    this.listeners.clear()
  }
}
