import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { RequestHead } from './request-head.js'
import { ResponseReader } from './response-reader.js'
import type { RequestControl, ResponseReceiver, TransportOptions } from './transport.js'
import { reset, silent, TransportFault } from './transport-fault.js'

/** The pool that a connection belongs to. */
export interface ConnectionOwner {
  /** The connection can take a request. */
  onFree(connection: Http1Connection): void
  onClosed(connection: Http1Connection, code: string | undefined): void
}

// A request takes some time to arrive: one sent just before the upstream closes the connection is lost.
const MARGIN_MS = 2_000
const KEEP_ALIVE_PROBE_MS = 60_000

// Every read is consumed before the next: one buffer is enough for all connections.
const received = Buffer.allocUnsafeSlow(64 * 1024)

/** One HTTP/1.1 connection to an upstream: one request at a time, each written at once. */
export class Http1Connection implements RequestControl {
  isOpen = false
  private readonly socket: Socket
  private readonly reader = new ResponseReader()
  private receiver?: ResponseReceiver
  private isPaused = false
  private usableUntil = 0
  private code?: string
  private readonly hostLine: string

  constructor(
    private readonly options: TransportOptions,
    private readonly owner: ConnectionOwner,
  ) {
    const { url, connectTimeoutMs } = options
    this.hostLine = `host: ${url.host}\r\n`
    this.socket = connectTo(options, (bytes) => this.read(bytes))
    const connectTimeout = setTimeout(() => this.socket.destroy(connectTimedOut()), connectTimeoutMs)
    this.socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => this.opened(connectTimeout))
    this.socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      this.code = code
    })
    this.socket.once('close', (hadError) => {
      clearTimeout(connectTimeout)
      this.closed(hadError)
    })
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

  private opened(connectTimeout: NodeJS.Timeout): void {
    clearTimeout(connectTimeout)
    this.isOpen = true
    this.usableUntil = Number.POSITIVE_INFINITY
    this.socket.setTimeout(this.options.keepAliveMs)
    this.socket.on('timeout', () => this.timedOut())
    this.owner.onFree(this)
  }

  /** Nothing has come or gone for a while. */
  private timedOut(): void {
    const { silenceMs } = this.options
    if (!this.receiver) this.destroy()
    // Whoever has paused is slow himself.
    else if (silenceMs !== undefined && !this.isPaused) {
      this.receiver.onError(silent(silenceMs))
      this.destroy()
    }
  }

  private read(bytes: Buffer): void {
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
    // It was given up: a response that nobody wants is not waited for.
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
    else if (!this.socket.destroyed) this.owner.onFree(this)
  }

  private closed(hadError: boolean): void {
    if (hadError || !this.reader.end()) this.receiver?.onError(reset(this.code))
    this.receiver = undefined
    this.owner.onClosed(this, this.code)
  }
}

function connectTo({ url, lookup }: TransportOptions, read: (bytes: Buffer) => void): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isTls = url.protocol === 'https:'
  const callback = (count: number) => {
    read(received.subarray(0, count))
    return true
  }
  const options: TcpNetConnectOpts = {
    host,
    port: Number(url.port) || (isTls ? 443 : 80),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    lookup,
    onread: { buffer: received, callback },
  }
  if (!isTls) return connectTcp(options)
  return connectTls({ ...options, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] })
}

function connectTimedOut(): Error {
  return Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })
}
