import type { IncomingHttpHeaders } from 'node:http'
import type { Writable } from 'node:stream'
import { type RequestContext, sendAnswer } from '@trestle/gateway/request-context'
import type { Dispatcher } from 'undici'
import { type FaultKind, MachineFault, problemOfFault } from './machine-fault.js'

interface ResponseLimits {
  readonly deadlineMs: number
  readonly maxBytes: number
  /** Read the whole answer, up to this size. Left out: a large answer is streamed. */
  readonly wholeBytes?: number
}

/** What a machine answered. */
export interface MachineReply {
  readonly status: number
  readonly type: string | undefined
  /** All of it, or what has arrived so far. */
  readonly body: Buffer
  /** The rest is streamed. */
  readonly rest?: RemainingBody
}

interface RemainingBody {
  /** Of the whole answer, where the machine stated it. */
  readonly length: number | undefined
  /** Returns the size of the whole answer; rejects with a fault where it broke off. */
  pipe(to: Writable): Promise<number>
}

// An answer up to this size is read before it is passed on: until then another member may be tried.
const SPLICED_BYTES = 64 * 1024

/** The response of a machine, as undici delivers it. */
export class MachineResponse implements Dispatcher.DispatchHandler, RemainingBody {
  readonly reply: Promise<MachineReply>
  length: number | undefined
  private settled = Promise.withResolvers<MachineReply>()
  private piped?: PromiseWithResolvers<number>
  private target?: Writable
  private controller?: Dispatcher.DispatchController
  private readonly timer: NodeJS.Timeout
  private readonly maxBytes: number
  private readonly chunks: Buffer[] = []
  private size = 0
  private status = 0
  private type: string | undefined
  private isOver = false
  private hasReplied = false

  constructor(private readonly options: ResponseLimits) {
    this.maxBytes = options.wholeBytes ?? options.maxBytes
    this.reply = this.settled.promise
    this.timer = setTimeout(() => this.breakOff('timeout'), options.deadlineMs)
  }

  /** The caller is gone. */
  abort(): void {
    this.breakOff('aborted')
  }

  pipe(to: Writable): Promise<number> {
    this.piped = Promise.withResolvers<number>()
    this.target = to
    this.controller?.resume()
    return this.piped.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    // The wait for a connection was too long.
    if (this.isOver) controller.abort(new MachineFault('aborted'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.status = status
    this.type = headers['content-type']
    const { 'content-length': length } = headers
    if (length !== undefined) this.length = Number(length)
    if ((this.length ?? 0) > this.maxBytes) this.breakOff('too-large')
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return
    this.size += chunk.length
    if (this.size > this.maxBytes) this.breakOff('too-large')
    else if (this.target) write(controller, chunk, this.target)
    else this.keep(controller, chunk)
  }

  onResponseEnd(): void {
    if (this.isOver) return
    this.isOver = true
    if (!this.hasReplied) this.answer()
    this.piped?.resolve(this.size)
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (error instanceof MachineFault) return
    const { code = '' } = error as NodeJS.ErrnoException
    this.fail(/TIMEOUT/.test(code) && this.controller ? 'timeout' : this.controller ? 'broken' : 'unreachable')
  }

  private keep(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk)
    if (this.options.wholeBytes !== undefined || this.size < SPLICED_BYTES) return
    controller.pause()
    this.answer(this)
  }

  private answer(rest?: RemainingBody): void {
    clearTimeout(this.timer)
    this.hasReplied = true
    const [first, ...more] = this.chunks
    const body = first && more.length === 0 ? first : Buffer.concat(this.chunks)
    this.settled.resolve({ status: this.status, type: this.type, body, rest })
  }

  private breakOff(kind: FaultKind): void {
    this.fail(kind)
    this.controller?.abort(new MachineFault(kind))
  }

  private fail(kind: FaultKind): void {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.timer)
    const fault = new MachineFault(kind)
    if (this.hasReplied) this.piped?.reject(fault)
    else this.settled.reject(fault)
  }
}

/** Passes on what a machine answered, and returns how many bytes that were. A Problem where it breaks off. */
export async function passOn(context: RequestContext, reply: MachineReply): Promise<number> {
  const { response, headers } = context
  const { status, type = 'application/json', body, rest } = reply
  if (!rest) {
    sendAnswer(context, { status, type, body: [body] })
    return body.length
  }
  const length = rest.length === undefined ? [] : ['content-length', String(rest.length)]
  response.writeHead(status, [...headers, 'content-type', type, ...length])
  response.write(body)
  try {
    const bytes = await rest.pipe(response)
    response.end()
    return bytes
  } catch (error) {
    throw error instanceof MachineFault ? problemOfFault(error) : error
  }
}

function write(controller: Dispatcher.DispatchController, chunk: Buffer, target: Writable): void {
  if (target.write(chunk)) return
  controller.pause()
  target.once('drain', () => controller.resume())
}
