import { randomBytes } from 'node:crypto'
import type { RawData, WebSocket } from 'ws'
import { CallAbort, type CallSignal } from '../call-signal.js'
import type { Answer } from '../framing/answer.js'
import { type Outcome, resultOf } from '../framing/outcome.js'
import { CODE, RpcFailure, unavailable } from '../framing/rpc-error.js'
import type { CallContext, Subscriber } from '../gateway/call-context.js'
import type { RpcService } from '../gateway/rpc.service.js'
import type { LiveProject } from '../projects/live-project.js'
import { countCall } from '../usage/project-usage.js'
import type { Hub, Listener } from './hub.service.js'
import type { Notification } from './notification.js'
import { subscriptionRequest } from './subscription-request.js'

const MAX_SUBSCRIPTIONS = 1000
/** So many messages of one connection are worked on at once; the others wait where they are. */
const MAX_AT_ONCE = 100
/** Who has so much unread does not read. */
const MAX_UNREAD = 8 * 1024 * 1024

// RFC 6455 section 7.4.1.
export const CLOSE = { goingAway: 1001, policy: 1008 } as const

/** One WebSocket: calls come in and are answered, and what was subscribed to is told. */
export class SocketSession implements CallContext, Subscriber {
  readonly subscriptions = this
  /** As it was told last; changed while the connection is open. */
  project: LiveProject
  private readonly leaving = new CallAbort()
  private readonly listeners = new Map<string, Listener>()
  /** Subscribed to, but not yet answered: nothing is told before. */
  private readonly asleep: string[] = []
  private atOnce = 0

  constructor(
    private readonly socket: WebSocket,
    private readonly rpc: RpcService,
    private readonly hub: Hub,
    project: LiveProject,
  ) {
    this.project = project
    socket.on('message', (data: RawData) => this.receive(data as Buffer))
    socket.on('close', () => this.end())
    // A close follows.
    socket.on('error', () => {})
  }

  get signal(): CallSignal {
    return this.leaving
  }

  subscribe(params: readonly unknown[]): Outcome {
    if (this.listeners.size >= MAX_SUBSCRIPTIONS) {
      throw new RpcFailure({ code: CODE.limit, message: `more than ${MAX_SUBSCRIPTIONS} subscriptions on one connection` })
    }
    const id = `0x${randomBytes(16).toString('hex')}`
    const listener = { ...subscriptionRequest(params), hear: (notification: Notification) => this.send(notification.to(id)) }
    this.listeners.set(id, listener)
    this.asleep.push(id)
    return resultOf(id)
  }

  unsubscribe([id]: readonly unknown[]): Outcome {
    const listener = typeof id === 'string' ? this.listeners.get(id) : undefined
    // The words of geth.
    if (!listener) throw new RpcFailure({ code: CODE.server, message: 'subscription not found' })
    this.listeners.delete(id as string)
    this.hub.remove(listener)
    return resultOf(true)
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason)
  }

  private receive(data: Buffer): void {
    if (++this.atOnce >= MAX_AT_ONCE) this.socket.pause()
    void this.rpc.serve(data, this, ({ answer }) => this.reply(answer))
  }

  private reply(answer: Answer): void {
    if (--this.atOnce < MAX_AT_ONCE && this.socket.isPaused) this.socket.resume()
    if (answer.length > 0) this.write(answer.length === 1 ? (answer[0] as Buffer) : Buffer.concat(answer))
    this.wake()
  }

  private wake(): void {
    for (const id of this.asleep.splice(0)) {
      const listener = this.listeners.get(id)
      if (listener) this.hub.add(listener)
    }
  }

  /** Of what was subscribed to. */
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
    // What it does not read would be kept for it without end.
    if (this.socket.bufferedAmount > MAX_UNREAD) this.socket.terminate()
  }

  private end(): void {
    this.leaving.abort(unavailable('the caller is gone'))
    for (const listener of this.listeners.values()) this.hub.remove(listener)
    this.listeners.clear()
  }
}
