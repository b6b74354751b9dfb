import type { CallSignal } from '../call-signal.js'
import { type Deadline, deadlines } from './deadlines.js'
import { faultOfStatus, UpstreamFault } from './fault.js'
import type { ResponseHeaders, ResponseListener } from './response-reader.js'

export interface SendOptions {
  readonly timeoutMs: number
  /** A longer answer is none. */
  readonly maxBytes: number
  readonly signal?: CallSignal
}

// An upstream that only says that its answer is long gets no memory for it.
const TAKEN_AT_ITS_WORD = 4 * 1024 * 1024
// Of one that does not say how long it is; it grows.
const FIRST_BYTES = 16 * 1024

/** A request on its way to an upstream, and its answer. */
export class Exchange implements ResponseListener, Deadline {
  readonly answer: Promise<Buffer>
  readonly dueAt: number
  private resolve!: (bytes: Buffer) => void
  private reject!: (fault: UpstreamFault) => void
  private connection?: { destroy(): void }
  /** Room for the answer: as long as it is said to be, or for more than has come of it. */
  private room?: Buffer
  private most = 0
  private size = 0
  isSettled = false

  constructor(
    readonly body: string,
    private readonly options: SendOptions,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    this.dueAt = performance.now() + options.timeoutMs
    deadlines.add(this)
    options.signal?.addEventListener('abort', this, { once: true })
  }

  /** Nobody waits for the answer any more. */
  abort(): void {
    this.breakOff(new UpstreamFault('aborted', 'was not waited for'))
  }

  /** Of the caller's signal. */
  handleEvent(): void {
    this.abort()
  }

  expire(): void {
    this.breakOff(new UpstreamFault('timeout', `did not answer within ${this.options.timeoutMs} ms`))
  }

  /** It is sent over this one now. */
  began(connection: { destroy(): void }): void {
    this.connection = connection
  }

  onHead(status: number, headers: ResponseHeaders, length = Number.POSITIVE_INFINITY): void {
    const fault = status === 200 ? undefined : faultOfStatus(status, headers, Date.now())
    this.most = Math.min(length, this.options.maxBytes)
    if (fault) this.fail(fault)
    else if (length <= Math.min(this.most, TAKEN_AT_ITS_WORD)) this.room = Buffer.allocUnsafe(length)
  }

  onBody(bytes: Buffer): void {
    if (this.isSettled) return
    const at = this.size
    this.size += bytes.length
    if (this.size > this.options.maxBytes) this.fail(new UpstreamFault('too-large', `sent more than ${this.options.maxBytes} bytes`))
    else bytes.copy(this.roomFor(this.size), at)
  }

  private roomFor(size: number): Buffer {
    const { room } = this
    if (room && size <= room.length) return room
    const larger = Buffer.allocUnsafe(Math.min(this.most, Math.max(size, FIRST_BYTES, 2 * (room?.length ?? 0))))
    room?.copy(larger)
    this.room = larger
    return larger
  }

  onEnd(): void {
    // It is another exchange's from now on.
    this.connection = undefined
    if (this.isSettled) return
    this.settle()
    this.resolve(this.answered())
  }

  private answered(): Buffer {
    const { room, size } = this
    // What is kept of it would keep all of the room.
    return room?.length === size ? room : Buffer.from(room?.subarray(0, size) ?? '')
  }

  /** The connection was lost. The message of such an error may hold the address. */
  broke(code = 'no reason given'): void {
    this.fail(new UpstreamFault('reset', `broke the connection (${code})`))
  }

  /** There was no connection: nothing was sent. */
  unreachable(code = 'no reason given'): void {
    this.fail(new UpstreamFault('unreachable', `cannot be reached (${code})`))
  }

  private breakOff(fault: UpstreamFault): void {
    this.fail(fault)
    this.connection?.destroy()
  }

  fail(fault: UpstreamFault): void {
    if (this.isSettled) return
    this.settle()
    this.reject(fault)
  }

  private settle(): void {
    this.isSettled = true
    this.options.signal?.removeEventListener('abort', this)
  }
}
