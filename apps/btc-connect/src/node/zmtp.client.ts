import { createConnection, type Socket } from 'node:net'
import { clientGreeting, commandName, readFrames, readGreeting, readyCommand, subscription, ZmtpError, type ZmtpFrame } from './zmtp.js'

interface SubscriberOptions {
  /** `tcp://host:port` */
  readonly url: string
  /** Subscribes to messages whose first frame starts with one of these. */
  readonly topics: readonly string[]
  readonly onMessage: (frames: readonly Buffer[]) => void
  /** The connection was established or lost, with the reason if there is one. */
  readonly onChange?: (connected: boolean, reason?: string) => void
}

const HANDSHAKE_MS = 5_000
const MAX_RETRY_MS = 30_000
const MAX_PARTS = 16

/** Subscribes to a ZeroMQ publisher and reconnects when the connection is lost. Messages in between are lost: they only wake us. */
export class ZmtpClient {
  private socket?: Socket
  private retry?: NodeJS.Timeout
  private retryMs = 1_000
  private connected?: boolean
  private stopped = false

  constructor(private readonly options: SubscriberOptions) {
    this.connect()
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.retry)
    this.socket?.destroy()
  }

  private connect(): void {
    const { hostname, port } = new URL(this.options.url)
    const socket = createConnection({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), keepAlive: true })
    this.socket = socket
    const session = new Session(socket, this.options)
    let reason: string | undefined
    socket.setTimeout(HANDSHAKE_MS, () => socket.destroy(new ZmtpError('The peer does not complete the handshake.')))
    socket.on('connect', () => socket.write(clientGreeting()))
    socket.on('error', (error) => {
      reason = error.message
    })
    socket.on('data', (bytes) => {
      if (!session.take(bytes)) return
      this.retryMs = 1_000
      this.report(true)
    })
    socket.on('close', () => this.lost(reason))
  }

  private lost(reason?: string): void {
    if (this.stopped) return
    this.report(false, reason)
    this.retry = setTimeout(() => this.connect(), this.retryMs).unref()
    this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS)
  }

  private report(connected: boolean, reason?: string): void {
    if (connected !== this.connected) this.options.onChange?.(connected, reason)
    this.connected = connected
  }
}

/** One connection. Each step of the handshake waits for that of the peer, because libzmq drops a peer that is ahead. */
class Session {
  private bytes: Buffer = Buffer.alloc(0)
  private greeted = false
  private subscribed = false
  private parts: Buffer[] = []

  constructor(
    private readonly socket: Socket,
    private readonly options: Pick<SubscriberOptions, 'topics' | 'onMessage'>,
  ) {}

  /** Returns whether the handshake is completed by these bytes. */
  take(bytes: Buffer): boolean {
    const before = this.subscribed
    try {
      this.read(Buffer.concat([this.bytes, bytes]))
    } catch (error) {
      this.socket.destroy(error instanceof Error ? error : undefined)
      return false
    }
    return this.subscribed && !before
  }

  private read(bytes: Buffer): void {
    const after = this.greeted ? bytes : readGreeting(bytes)
    this.bytes = after ?? bytes
    if (!after) return
    if (!this.greeted) this.socket.write(readyCommand())
    this.greeted = true
    const { frames, rest } = readFrames(after)
    this.bytes = rest
    for (const frame of frames) this.takeFrame(frame)
  }

  private takeFrame(frame: ZmtpFrame): void {
    if (frame.command) this.handleCommand(frame)
    else this.takePart(frame)
  }

  private takePart(frame: ZmtpFrame): void {
    this.parts.push(frame.body)
    if (this.parts.length > MAX_PARTS) throw new ZmtpError('The peer sends a message with too many frames.')
    if (frame.more) return
    this.options.onMessage(this.parts)
    this.parts = []
  }

  private handleCommand(frame: ZmtpFrame): void {
    const command = commandName(frame)
    if (command === 'ERROR') throw new ZmtpError('The peer refuses the subscription.')
    if (command !== 'READY') return
    this.socket.write(Buffer.concat(this.options.topics.map(subscription)))
    this.subscribed = true
    // From here on the peer may be silent: nothing happens on the chain.
    this.socket.setTimeout(0)
  }
}
