import type { ClientRequestArgs } from 'node:http'
import { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { connectThrough } from '@trestle/gateway/upstream/connect'
import { WebSocket } from 'ws'
import { z } from 'zod'
import type { UpstreamTls } from '../upstreams/upstream-config.js'

interface SocketOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly tls?: UpstreamTls
  /** The address of a proxy that connects us. */
  readonly proxy?: string
  /** The connection is open: subscriptions are to be made. */
  readonly onOpen: () => void
  /** It has sent something. */
  readonly onMessage?: () => void
  readonly onClose: (reason: string) => void
}

const Message = z.looseObject({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
  params: z.looseObject({ subscription: z.string(), result: z.unknown() }).optional(),
})
type Message = z.output<typeof Message>

interface PendingRequest {
  resolve(result: unknown): void
  reject(error: Error): void
}

const MAX_PAYLOAD = 4 * 1024 * 1024
const HANDSHAKE_MS = 5_000
const ANSWER_MS = 5_000
/** A node that has not answered one ping by the next is gone. */
const PING_MS = 10_000
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 30_000

/** A WebSocket to a node, opened again whenever it is lost. Subscriptions end with the connection they were made on. */
export class NodeSocket {
  private socket?: WebSocket
  private retry?: NodeJS.Timeout
  private pauseMs = MIN_PAUSE_MS
  private stopped = false
  private nextId = 1
  private requests = new Map<number, PendingRequest>()
  private subscriptions = new Map<string, (value: unknown) => void>()

  constructor(private readonly options: SocketOptions) {}

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  connect(): void {
    this.stopped = false
    const { url, headers, tls, proxy } = this.options
    const limits = { maxPayload: MAX_PAYLOAD, handshakeTimeout: HANDSHAKE_MS, perMessageDeflate: false }
    const socket = new WebSocket(url, {
      ...limits,
      headers,
      ...(proxy === undefined ? tls : { createConnection: throughProxy(proxy, url, tls) }),
    })
    this.socket = socket
    const pings = keepAlive(socket)
    let reason = 'it ended'
    socket.on('open', () => this.options.onOpen())
    socket.on('message', (bytes) => {
      this.options.onMessage?.()
      this.take(socket, String(bytes))
    })
    // Its message may hold the address, which is not for the log.
    socket.on('error', (error) => {
      reason = (error as NodeJS.ErrnoException).code ?? 'it was refused'
    })
    socket.on('close', () => {
      clearInterval(pings)
      this.lost(reason)
    })
  }

  async subscribe(topic: string, take: (value: unknown) => void): Promise<string> {
    const id = z.string().parse(await this.ask('eth_subscribe', [topic]))
    this.subscriptions.set(id, take)
    return id
  }

  /** Whether the subscription is still open. */
  has(id: string): boolean {
    return this.subscriptions.has(id)
  }

  async unsubscribe(id: string): Promise<void> {
    if (this.subscriptions.delete(id) && this.isOpen) await this.ask('eth_unsubscribe', [id])
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.retry)
    this.socket?.terminate()
  }

  private ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (!this.isOpen) return Promise.reject(new Error('The WebSocket is not open.'))
    const id = this.nextId++
    this.requests.set(id, { resolve, reject })
    this.socket?.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    const timer = setTimeout(() => reject(new Error('The node does not answer on its WebSocket.')), ANSWER_MS)
    return promise.finally(() => {
      clearTimeout(timer)
      this.requests.delete(id)
    })
  }

  private take(socket: WebSocket, text: string): void {
    const message = messageOf(text)
    if (!message) {
      socket.terminate()
      return
    }
    this.pauseMs = MIN_PAUSE_MS
    if (message.params) this.subscriptions.get(message.params.subscription)?.(message.params.result)
    const request = message.id === undefined ? undefined : this.requests.get(message.id)
    if (message.error) request?.reject(new Error(message.error.message))
    else request?.resolve(message.result)
  }

  private lost(reason: string): void {
    for (const { reject } of this.requests.values()) reject(new Error('The WebSocket was closed.'))
    this.subscriptions.clear()
    if (this.stopped) return
    this.options.onClose(reason)
    // Replicas do not reconnect all at once.
    this.retry = setTimeout(() => this.connect(), this.pauseMs * (0.5 + Math.random() / 2)).unref()
    this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS)
  }
}

function throughProxy(proxy: string, url: string, tls: UpstreamTls | undefined): NonNullable<ClientRequestArgs['createConnection']> {
  return (_, callback) => {
    connectThrough(new URL(proxy), new URL(url), { secureContext: createSecureContext(tls) }, (error, socket) =>
      callback(error ?? null, socket ?? new Socket()),
    )
    return undefined
  }
}

function keepAlive(socket: WebSocket): NodeJS.Timeout {
  let hasAnswered = true
  socket.on('pong', () => {
    hasAnswered = true
  })
  return setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (hasAnswered) socket.ping()
    else socket.terminate()
    hasAnswered = false
  }, PING_MS).unref()
}

function messageOf(text: string): Message | undefined {
  try {
    return Message.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
