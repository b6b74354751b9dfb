import { type ConnectionOwner, Http1Connection } from './http1-connection.js'
import type { RequestHead } from './request-head.js'
import type { ResponseReceiver, TransportOptions, UpstreamTransport } from './transport.js'
import { unreachable } from './transport-fault.js'

interface WaitingRequest {
  readonly head: RequestHead
  readonly body: Buffer | string | undefined
  readonly receiver: ResponseReceiver
}

// In a burst it is faster to wait for a few warm connections than to open one for each call.
const MAX_OPENING = 8
// An upstream that refuses further connections is not tried at every call.
const PAUSE_MS = 100

/** Our own HTTP/1.1 client: the connections to one upstream, and the requests that wait for one. */
export class Http1Transport implements UpstreamTransport, ConnectionOwner {
  private readonly all = new Set<Http1Connection>()
  /** The one used last is used next, so that those in excess idle until they are closed. */
  private readonly idle: Http1Connection[] = []
  private waiting: WaitingRequest[] = []
  private isClosed = false
  /** A connection was refused just now. */
  private pause?: NodeJS.Timeout

  constructor(private readonly options: TransportOptions) {}

  send(head: RequestHead, body: Buffer | string | undefined, receiver: ResponseReceiver): void {
    if (receiver.isSettled) return
    const connection = this.takeIdle()
    if (connection) connection.send(head, body, receiver)
    else {
      this.waiting.push({ head, body, receiver })
      this.open()
    }
  }

  close(): void {
    this.isClosed = true
    for (const connection of this.idle) connection.destroy()
    this.failWaiting()
  }

  destroy(): void {
    this.close()
    for (const connection of this.all) connection.destroy()
  }

  onFree(connection: Http1Connection): void {
    const next = this.nextWaiting()
    if (next) connection.send(next.head, next.body, next.receiver)
    else if (this.isClosed) connection.destroy()
    else this.idle.push(connection)
    this.open()
  }

  onClosed(connection: Http1Connection, code: string | undefined): void {
    this.all.delete(connection)
    const index = this.idle.indexOf(connection)
    if (index !== -1) this.idle.splice(index, 1)
    const hasOpen = connection.isOpen || [...this.all].some(({ isOpen }) => isOpen)
    if (!hasOpen) this.failWaiting(code)
    else if (!connection.isOpen) this.pause ??= setTimeout(() => this.endPause(), PAUSE_MS).unref()
    this.open()
  }

  private takeIdle(): Http1Connection | undefined {
    const now = performance.now()
    for (let last = this.idle.pop(); last; last = this.idle.pop()) {
      if (last.isUsable(now)) return last
      last.destroy()
    }
  }

  private nextWaiting(): WaitingRequest | undefined {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) if (!next.receiver.isSettled) return next
  }

  private open(): void {
    const { maxConnections } = this.options
    if (this.isClosed) this.failWaiting()
    if (this.waiting.length === 0 || this.all.size === maxConnections || this.pause) return
    let opening = 0
    for (const { isOpen } of this.all) if (!isOpen) opening++
    for (; opening < Math.min(MAX_OPENING, this.waiting.length) && this.all.size < maxConnections; opening++) {
      this.all.add(new Http1Connection(this.options, this))
    }
  }

  private endPause(): void {
    this.clearPause()
    this.waiting = this.waiting.filter(({ receiver }) => !receiver.isSettled)
    this.open()
  }

  private clearPause(): void {
    clearTimeout(this.pause)
    this.pause = undefined
  }

  /** The upstream cannot be reached. The next request tries again. */
  private failWaiting(code?: string): void {
    this.clearPause()
    const { waiting } = this
    this.waiting = []
    for (const { receiver } of waiting) receiver.onError(unreachable(code))
  }
}
