import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { CallSignal } from '../call-signal.js'
import { type Deadline, deadlines } from './deadlines.js'
import { faultOfStatus, UpstreamFault } from './fault.js'

export interface SendOptions {
  readonly timeoutMs: number
  /** A longer answer is none. */
  readonly maxBytes: number
  readonly signal?: CallSignal
}

// So much of what is of no use is read to keep the connection.
const DRAINED_BYTES = 64 * 1024

/** A request on its way to an upstream, and its answer. */
export class Exchange implements Dispatcher.DispatchHandler, Deadline {
  readonly answer: Promise<Buffer>
  readonly dueAt: number
  private resolve!: (bytes: Buffer) => void
  private reject!: (fault: UpstreamFault) => void
  private controller?: Dispatcher.DispatchController
  private first?: Buffer
  private more?: Buffer[]
  private size = 0
  isSettled = false

  constructor(private readonly options: SendOptions) {
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

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    // It may have waited for a connection too long.
    if (this.isSettled) controller.abort(new UpstreamFault('aborted', 'was not waited for'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status === 200 || status < 200) return
    const fault = faultOfStatus(status, headers, Date.now())
    if (fault) this.fail(fault)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length
    if (this.isSettled) {
      if (this.size > DRAINED_BYTES) controller.abort(new UpstreamFault('too-large', 'goes on after it was given up'))
    } else if (this.size > this.options.maxBytes) {
      this.breakOff(new UpstreamFault('too-large', `sent more than ${this.options.maxBytes} bytes`))
    } else if (!this.first) {
      this.first = chunk
    } else {
      this.more ??= [this.first]
      this.more.push(chunk)
    }
  }

  onResponseEnd(): void {
    if (this.isSettled) return
    this.settle()
    this.resolve(this.more ? Buffer.concat(this.more, this.size) : (this.first ?? Buffer.alloc(0)))
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    // The message may hold the address.
    const { code = 'no reason given' } = error as NodeJS.ErrnoException
    if (this.controller) this.fail(new UpstreamFault('reset', `broke the connection (${code})`))
    else this.fail(new UpstreamFault('unreachable', `cannot be reached (${code})`))
  }

  private breakOff(fault: UpstreamFault): void {
    this.fail(fault)
    this.controller?.abort(fault)
  }

  private fail(fault: UpstreamFault): void {
    if (this.isSettled) return
    this.settle()
    this.reject(fault)
  }

  private settle(): void {
    this.isSettled = true
    this.options.signal?.removeEventListener('abort', this)
  }
}
