import { once } from 'node:events'
import { WebSocket } from 'ws'

interface Message {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
  readonly params?: { readonly subscription: string; readonly result: unknown }
}

/** Somebody at a WebSocket, who keeps all that is notified. */
export class SocketCaller {
  /** The code of the close. */
  readonly closed: Promise<number>
  readonly closeReason: Promise<string>
  private readonly received = new Map<string, unknown[]>()
  private readonly questions = new Map<number, (message: Message) => void>()
  private asked = 0

  private constructor(readonly socket: WebSocket) {
    const close = once(socket, 'close')
    this.closed = close.then(([code]) => code)
    this.closeReason = close.then(([, reason]) => String(reason))
    socket.on('message', (text) => this.take(JSON.parse(String(text))))
  }

  /** `url` is that for HTTP. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<SocketCaller> {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { perMessageDeflate: false, headers })
    await once(socket, 'open')
    return new SocketCaller(socket)
  }

  async ask<T>(method: string, ...params: unknown[]): Promise<T> {
    const id = ++this.asked
    const { promise, resolve } = Promise.withResolvers<Message>()
    this.questions.set(id, resolve)
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    const { result, error } = await promise
    if (error) throw new Error(`${method}: ${error.code} ${error.message}`)
    return result as T
  }

  /** What is notified of it from now on, in order. */
  async subscribe<T>(...params: unknown[]): Promise<T[]> {
    return this.toldOf(await this.ask<string>('eth_subscribe', ...params)) as T[]
  }

  close(): void {
    this.socket.close()
  }

  private toldOf(subscription: string): unknown[] {
    const notified = this.received.get(subscription) ?? []
    this.received.set(subscription, notified)
    return notified
  }

  private take({ id, params, ...rest }: Message): void {
    if (params) this.toldOf(params.subscription).push(params.result)
    else this.questions.get(id as number)?.(rest)
  }
}
