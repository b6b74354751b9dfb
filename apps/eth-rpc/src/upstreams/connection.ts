import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Exchange } from './exchange.js'
import { UpstreamFault } from './fault.js'
import { ResponseReader } from './response-reader.js'

/** What a connection tells whoever keeps it. */
export interface ConnectionKeeper {
  /** It can take a request. */
  onFree(connection: Connection): void
  onClosed(connection: Connection, code: string | undefined): void
}

const CONNECT_MS = 3_000
// Shorter than any node lets a connection idle, unless it says otherwise.
const KEEP_ALIVE_MS = 20_000
// A request is under way for some time before the node hears of it.
const MARGIN_MS = 2_000
const KEEP_ALIVE_PROBE_MS = 60_000

// What comes is taken out before anything else is read: one is enough for all connections.
const received = Buffer.allocUnsafeSlow(64 * 1024)

/** One HTTP/1.1 connection to an upstream: one request after the other, each written in one piece. */
export class Connection {
  isOpen = false
  private readonly socket: Socket
  private readonly reader = new ResponseReader()
  private exchange?: Exchange
  private usableUntil = 0
  private code?: string

  constructor(
    url: URL,
    private readonly head: string,
    private readonly keeper: ConnectionKeeper,
  ) {
    this.socket = connectTo(url, (bytes) => this.read(bytes))
    const impatience = setTimeout(() => this.socket.destroy(timedOut()), CONNECT_MS)
    this.socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => this.opened(impatience))
    this.socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      this.code = code
    })
    this.socket.once('close', (hadError) => {
      clearTimeout(impatience)
      this.closed(hadError)
    })
  }

  /** Whether its next request would likely be heard. */
  isUsable(now: number): boolean {
    return this.socket.writable && now < this.usableUntil
  }

  send(exchange: Exchange): void {
    const { body } = exchange
    const length = Buffer.byteLength(body)
    this.exchange = exchange
    exchange.began(this)
    this.reader.expect(exchange)
    // Of ASCII, which it nearly always is, each character is a byte.
    this.socket.write(`${this.head}content-length: ${length}\r\n\r\n${body}`, length === body.length ? 'latin1' : 'utf8')
  }

  destroy(): void {
    this.socket.destroy()
  }

  private opened(impatience: NodeJS.Timeout): void {
    clearTimeout(impatience)
    this.isOpen = true
    this.usableUntil = Number.POSITIVE_INFINITY
    this.socket.setTimeout(KEEP_ALIVE_MS, () => {
      if (!this.exchange) this.destroy()
    })
    this.keeper.onFree(this)
  }

  private read(bytes: Buffer): void {
    try {
      this.reader.read(bytes)
    } catch (error) {
      this.exchange?.fail(error as UpstreamFault)
      this.destroy()
    }
    if (!this.exchange) return
    if (this.reader.isDone) this.finished()
    // It was given up: what is of no use is not waited for.
    else if (this.exchange.isSettled) this.destroy()
  }

  private finished(): void {
    this.exchange = undefined
    this.usableUntil = performance.now() + Math.min(KEEP_ALIVE_MS, this.reader.keptMs - MARGIN_MS)
    // Behind a request that was answered before it was sent as a whole, the next would wait for whoever reads no more.
    if (this.reader.keptMs === 0 || this.socket.writableLength > 0) this.destroy()
    else if (!this.socket.destroyed) this.keeper.onFree(this)
  }

  private closed(hadError: boolean): void {
    if (hadError || !this.reader.end()) this.exchange?.broke(this.code)
    this.exchange = undefined
    this.keeper.onClosed(this, this.code)
  }
}

function connectTo({ protocol, hostname, port }: URL, read: (bytes: Buffer) => void): Socket {
  const host = hostname.replace(/^\[|\]$/g, '')
  const isTls = protocol === 'https:'
  const callback = (count: number, bytes: Uint8Array) => {
    read((bytes as Buffer).subarray(0, count))
    return true
  }
  const options: TcpNetConnectOpts = {
    host,
    port: Number(port) || (isTls ? 443 : 80),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    onread: { buffer: received, callback },
  }
  if (!isTls) return connectTcp(options)
  return connectTls({ ...options, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] })
}

function timedOut(): Error {
  return Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })
}
