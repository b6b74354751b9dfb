import { Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { type BytesReader, connectThrough, connectTimedOut, connectTo, type Resumption } from './connect.js'
import type { RequestHead } from './request-head.js'
import { ResponseReader } from './response-reader.js'
import type { RequestControl, ResponseReceiver, TransportOptions, UpstreamTransport } from './transport.js'
import { reset, silent, TransportFault, unreachable } from './transport-fault.js'

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
export class Http1Transport implements UpstreamTransport {
  private readonly all = new Set<Http1Connection>()
  /** The one used last is used next, so that those in excess idle until they are closed. */
  private readonly idle: Http1Connection[] = []
  private waiting: WaitingRequest[] = []
  private isClosed = false
  /** A connection was refused just now. */
  private pause?: NodeJS.Timeout
  private readonly secureContext?: SecureContext
  /** Of the last connection over TLS: the next one resumes it (RFC 8446 section 2.2). */
  private session?: Buffer

  constructor(private readonly options: TransportOptions) {
    if (options.url.protocol === 'https:') this.secureContext = createSecureContext(options.tls)
  }

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

  get resumption(): Resumption {
    const { secureContext, session } = this
    return { secureContext, session }
  }

  onSession(session: Buffer): void {
    this.session = session
  }

  /** A request broke off: whatever ended its connection may have ended those that idle, though nothing is known of it yet. */
  distrustIdle(): void {
    for (const connection of this.idle.splice(0)) connection.destroy()
  }

  /** The connection can take a request. */
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

// A request takes some time to arrive: one sent just before the upstream closes the connection is lost.
const MARGIN_MS = 2_000

/** One HTTP/1.1 connection to an upstream: one request at a time, each written at once. */
class Http1Connection implements RequestControl, BytesReader {
  isOpen = false
  private socket: Socket
  private readonly reader = new ResponseReader()
  private receiver?: ResponseReceiver
  private isPaused = false
  private usableUntil = 0
  private code?: string
  private readonly hostLine: string
  private readonly connectTimeout: NodeJS.Timeout

  constructor(
    private readonly options: TransportOptions,
    private readonly pool: Http1Transport,
  ) {
    const { url, connectTimeoutMs, proxy } = options
    this.hostLine = `host: ${url.host}\r\n`
    this.connectTimeout = setTimeout(() => this.socket.destroy(connectTimedOut()), connectTimeoutMs)
    if (proxy) {
      this.socket = this.watch(new Socket())
      connectThrough(proxy, url, pool.resumption, (error, socket) => this.tunnelled(error, socket))
    } else {
      this.socket = this.watch(connectTo(options, pool.resumption, this))
      this.socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => this.opened())
    }
  }

  /** Whether a request sent now would likely be answered. */
  isUsable(now: number): boolean {
    return this.socket.writable && now < this.usableUntil
  }

  send(head: RequestHead, body: Buffer | string | undefined, receiver: ResponseReceiver): void {
    this.receiver = receiver
    receiver.onSend(this)
    this.reader.expect(receiver)
    const { silenceMs } = this.options
    if (silenceMs !== undefined) this.socket.setTimeout(silenceMs)
    const start = head.requestLine + this.hostLine + head.fieldLines
    if (typeof body === 'string') {
      const length = Buffer.byteLength(body)
      // Of ASCII, which it nearly always is, each character is a byte.
      this.socket.write(`${start}content-length: ${length}\r\n\r\n${body}`, length === body.length ? 'latin1' : 'utf8')
    } else this.writeBuffer(start, body)
  }

  pause(receiver: ResponseReceiver): void {
    if (this.receiver !== receiver) return
    this.isPaused = true
    this.socket.pause()
  }

  resume(receiver: ResponseReceiver): void {
    if (this.receiver === receiver) this.readOn()
  }

  destroy(receiver = this.receiver): void {
    if (this.receiver === receiver) this.socket.destroy()
  }

  private writeBuffer(start: string, body: Buffer | undefined): void {
    this.socket.cork()
    this.socket.write(body ? `${start}content-length: ${body.length}\r\n\r\n` : `${start}\r\n`, 'latin1')
    if (body) this.socket.write(body)
    this.socket.uncork()
  }

  private readOn(): void {
    if (!this.isPaused) return
    this.isPaused = false
    this.socket.resume()
  }

  private watch(socket: Socket): Socket {
    if (this.options.url.protocol === 'https:') socket.on('session', (session: Buffer) => this.pool.onSession(session))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      this.code = code
    })
    socket.once('close', (hadError) => {
      if (socket === this.socket) this.closed(hadError)
    })
    return socket
  }

  /** The proxy has connected us; until then an unconnected socket stood for this one. */
  private tunnelled(error: Error | undefined, socket: Socket | undefined): void {
    const before = this.socket
    if (!socket) before.destroy(error)
    else if (before.destroyed) socket.destroy()
    else {
      this.socket = this.watch(socket)
      before.destroy()
      socket.on('data', (bytes: Buffer) => this.read(bytes))
      this.opened()
    }
  }

  private opened(): void {
    clearTimeout(this.connectTimeout)
    this.isOpen = true
    this.usableUntil = Number.POSITIVE_INFINITY
    this.socket.setTimeout(this.options.keepAliveMs)
    this.socket.on('timeout', () => this.timedOut())
    this.pool.onFree(this)
  }

  /** Nothing has come or gone for a while. */
  private timedOut(): void {
    const { silenceMs } = this.options
    if (!this.receiver) this.destroy()
    // The receiver that has paused is the slow one.
    else if (silenceMs !== undefined && !this.isPaused) {
      this.receiver.onError(silent(silenceMs))
      this.destroy()
    }
  }

  get target(): Buffer | undefined {
    return this.reader.target
  }

  read(bytes: Buffer): void {
    try {
      this.reader.read(bytes)
    } catch (error) {
      this.destroy()
      if (!(error instanceof TransportFault)) throw error
      // Bytes after the end of a response are not its fault.
      if (!this.reader.isDone) this.receiver?.onError(error)
    }
    if (!this.receiver) return
    if (this.reader.isDone) this.finished()
    // It was given up: the rest of the response is not awaited.
    else if (this.receiver.isSettled) this.destroy()
  }

  private finished(): void {
    const { keepAliveMs, silenceMs } = this.options
    this.receiver = undefined
    this.readOn()
    this.usableUntil = performance.now() + Math.min(keepAliveMs, this.reader.keptMs - MARGIN_MS)
    if (silenceMs !== undefined) this.socket.setTimeout(keepAliveMs)
    // An upstream that has answered before it read the whole request may never read the rest, nor what is written after it.
    if (this.reader.keptMs === 0 || this.socket.writableLength > 0) this.destroy()
    else if (!this.socket.destroyed) this.pool.onFree(this)
  }

  private closed(hadError: boolean): void {
    clearTimeout(this.connectTimeout)
    const { receiver } = this
    if (hadError || !this.reader.end()) {
      // Whoever asks again is to get a fresh connection.
      if (receiver && !receiver.isSettled) this.pool.distrustIdle()
      receiver?.onError(reset(this.code))
    }
    this.receiver = undefined
    this.pool.onClosed(this, this.code)
  }
}
