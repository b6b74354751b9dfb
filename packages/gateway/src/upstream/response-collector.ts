import { decodeBody } from './content-coding.js'
import { type Deadline, deadlines } from './deadlines.js'
import type { RequestControl, ResponseHeaders, ResponseReceiver } from './transport.js'
import { TransportFault } from './transport-fault.js'

export interface CollectorOptions {
  readonly timeoutMs: number
  /** A longer body is a fault. */
  readonly maxBytes: number
}

// An upstream that only announces a long body gets no memory for it.
const MAX_ALLOCATED_AHEAD = 4 * 1024 * 1024
// Of a body of unknown length; it grows.
const FIRST_BYTES = 16 * 1024

/** Collects the body of a response in one buffer, within a time. */
export abstract class ResponseCollector implements ResponseReceiver, Deadline {
  readonly startedAt = performance.now()
  readonly dueAt: number
  isSettled = false
  private control?: RequestControl
  /** As long as the body is announced to be, or longer than what has come of it. */
  private buffer?: Buffer
  private maxLength = 0
  private size = 0

  /** The coding of the body, where one was asked for. */
  private coding?: string

  constructor(
    private readonly options: CollectorOptions,
    private readonly mayBeCoded = false,
  ) {
    this.dueAt = this.startedAt + options.timeoutMs
    deadlines.add(this)
  }

  /** The response is no longer needed. */
  abort(): void {
    this.breakOff(new TransportFault('aborted', 'was not waited for'))
  }

  expire(): void {
    this.breakOff(new TransportFault('timeout', `did not answer within ${this.options.timeoutMs} ms`))
  }

  onSend(control: RequestControl): void {
    this.control = control
  }

  onHead(status: number, headers: ResponseHeaders, length = Number.POSITIVE_INFINITY): void {
    const error = status === 200 ? undefined : this.errorOfStatus(status, headers)
    if (this.mayBeCoded) this.coding = headers.get('content-encoding')
    this.maxLength = Math.min(length, this.options.maxBytes)
    if (error) this.fail(error)
    else if (length <= Math.min(this.maxLength, MAX_ALLOCATED_AHEAD)) this.buffer = Buffer.allocUnsafe(length)
  }

  onBody(bytes: Buffer): void {
    if (this.isSettled) return
    const { maxBytes } = this.options
    const at = this.size
    this.size += bytes.length
    if (this.size > maxBytes) this.fail(new TransportFault('too-large', `sent more than ${maxBytes} bytes`))
    else if (!this.isInPlace(bytes, at)) bytes.copy(this.bufferFor(this.size), at)
  }

  /** Without it a long body is copied once more, and where its length is unknown three times. */
  roomFor(length: number): Buffer | undefined {
    const { size } = this
    const end = Math.min(size + length, this.maxLength, Math.max(MAX_ALLOCATED_AHEAD, 2 * size))
    return this.isSettled || end <= size ? undefined : this.bufferFor(end).subarray(size, end)
  }

  onEnd(): void {
    this.control = undefined
    if (this.isSettled) return
    if (this.coding !== undefined) this.decode(this.coding)
    else this.succeed(this.collected())
  }

  onError(fault: TransportFault): void {
    this.fail(fault)
  }

  /** Of a status other than 200: why the body is not waited for, if so. */
  protected abstract errorOfStatus(status: number, headers: ResponseHeaders): Error | undefined

  protected abstract onCollected(body: Buffer): void

  protected abstract onFailed(error: Error): void

  private decode(coding: string): void {
    const { maxBytes } = this.options
    decodeBody(this.collected(), coding, maxBytes, (fault, body) => {
      if (body) this.succeed(body)
      else if (fault) this.fail(fault)
    })
  }

  private succeed(body: Buffer): void {
    if (this.isSettled) return
    this.isSettled = true
    this.onCollected(body)
  }

  private isInPlace({ buffer, byteOffset }: Buffer, at: number): boolean {
    return this.buffer?.buffer === buffer && this.buffer.byteOffset + at === byteOffset
  }

  private bufferFor(size: number): Buffer {
    const { buffer } = this
    if (buffer && size <= buffer.length) return buffer
    const larger = Buffer.allocUnsafe(Math.min(this.maxLength, Math.max(size, FIRST_BYTES, 2 * (buffer?.length ?? 0))))
    buffer?.copy(larger)
    this.buffer = larger
    return larger
  }

  private collected(): Buffer {
    const { buffer, size } = this
    // A part of the buffer would keep all of it in memory.
    return buffer?.length === size ? buffer : Buffer.from(buffer?.subarray(0, size) ?? '')
  }

  private breakOff(fault: TransportFault): void {
    this.fail(fault)
    this.control?.destroy(this)
  }

  private fail(error: Error): void {
    if (this.isSettled) return
    this.isSettled = true
    this.onFailed(error)
  }
}
