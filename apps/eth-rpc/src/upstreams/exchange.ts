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
const NOTHING = Buffer.alloc(0)

/** A request on its way to an upstream, and its answer. */
export class Exchange implements ResponseListener, Deadline {
  readonly answer: Promise<Buffer>
  readonly dueAt: number
  private resolve!: (bytes: Buffer) => void
  private reject!: (fault: UpstreamFault) => void
  private connection?: { destroy(): void }
  /** Room for the answer, as long as it is said to be; where that is not said, what has come of it. */
  private whole?: Buffer
  private pieces?: Buffer[]
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
    if (fault) this.fail(fault)
    else if (length <= Math.min(this.options.maxBytes, TAKEN_AT_ITS_WORD)) this.whole = Buffer.allocUnsafe(length)
  }

  onBody(bytes: Buffer): void {
    if (this.isSettled) return
    const at = this.size
    this.size += bytes.length
    if (this.size > this.options.maxBytes) this.fail(new UpstreamFault('too-large', `sent more than ${this.options.maxBytes} bytes`))
    else if (this.whole) bytes.copy(this.whole, at)
    else if (this.pieces) this.pieces.push(Buffer.from(bytes))
    else this.pieces = [Buffer.from(bytes)]
  }

  onEnd(): void {
    // It is another exchange's from now on.
    this.connection = undefined
    if (this.isSettled) return
    this.settle()
    this.resolve(this.whole ?? joined(this.pieces))
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

function joined(pieces: readonly Buffer[] = []): Buffer {
  const [first = NOTHING] = pieces
  return pieces.length > 1 ? Buffer.concat(pieces) : first
}
