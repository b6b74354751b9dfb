import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Writable } from 'node:stream'
import type { ChainFamily } from '@trestle/contracts/chains/chain'
import { type Deadline, deadlines } from '@trestle/gateway/upstream/deadlines'
import { openTransport, type TransportKind } from '@trestle/gateway/upstream/open-transport'
import { basicAuthorization, RequestHead } from '@trestle/gateway/upstream/request-head'
import type { RequestControl, ResponseHeaders, ResponseReceiver, UpstreamTransport } from '@trestle/gateway/upstream/transport'
import type { TransportFault } from '@trestle/gateway/upstream/transport-fault'
import { MACHINE_USER } from '../software/program-setup.js'
import type { CallBounds } from './call-bounds.js'
import { MachineFault } from './machine-fault.js'
import { MemberHealth } from './member-health.js'

interface MachineAddress {
  readonly host: string
  readonly port: number
  readonly password: string
  /** Of its RPC. */
  readonly path: string
  readonly family: ChainFamily
  readonly transport: TransportKind
}

export interface MachineRequest {
  /** Of a GET. */
  readonly path?: string
  /** Left out: a GET. */
  readonly body?: Buffer | string
  /** Read the whole answer before it is returned. */
  readonly isWhole?: boolean
  /** Registers what runs when the caller is gone. */
  onLeave?(leave: () => void): void
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

// As many as calls are admitted to one workload.
const CONNECTIONS = 64
const CONNECT_MS = 3_000
// bitcoind closes a connection that idles for 30 s (-rpcservertimeout): a call must not meet that.
const KEEP_ALIVE_MS = 10_000
const SILENCE_MS = 60_000

/** The connections to one machine, and its health. */
export class MachineClient {
  readonly health = new MemberHealth()
  outstanding = 0
  private readonly transport: UpstreamTransport
  private readonly posting: RequestHead
  private readonly getting: readonly string[]

  constructor(
    { host, port, password, path, family, transport }: MachineAddress,
    private readonly bounds: CallBounds,
  ) {
    this.transport = openTransport(transport, {
      url: new URL(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`),
      maxConnections: CONNECTIONS,
      connectTimeoutMs: CONNECT_MS,
      keepAliveMs: KEEP_ALIVE_MS,
      silenceMs: SILENCE_MS,
      lookup: lookUpAllowed,
    })
    // Of the caller's request only the body is passed on: no Authorization, no Cookie, no hop-by-hop header (RFC 9110 section 7.6.1).
    this.getting = ['authorization', basicAuthorization(MACHINE_USER, password)]
    this.posting = new RequestHead('POST', path, ['content-type', 'application/json', ...(family === 'bitcoin' ? this.getting : [])])
  }

  /** Rejects with a MachineFault. */
  async ask({ path = '/', body, isWhole, onLeave }: MachineRequest): Promise<MachineReply> {
    const { deadlineMs, answerBytes, wholeBytes } = this.bounds
    const exchange = new MachineResponse({ deadlineMs, maxBytes: answerBytes, ...(isWhole && { wholeBytes }) })
    onLeave?.(() => exchange.abort())
    this.outstanding++
    this.health.began(performance.now())
    this.transport.send(body === undefined ? new RequestHead('GET', path, this.getting) : this.posting, body, exchange)
    try {
      const reply = await exchange.reply
      check(reply)
      this.health.answered()
      return reply
    } catch (error) {
      if (error instanceof MachineFault && error.isOfCaller) this.health.ended()
      else this.health.failed(performance.now())
      // The rest of an answer that is not passed on is not read.
      exchange.abort()
      throw error
    } finally {
      this.outstanding--
    }
  }

  /** Calls under way may end. */
  close(): void {
    this.transport.close()
  }
}

/** Statuses that are about the connection or the machine, not about the call. */
function check({ status }: MachineReply): void {
  if (status === 401 || status === 407) throw new MachineFault('locked')
  if (status === 429 || status === 503) throw new MachineFault('busy')
  if (status === 502 || status === 504 || status < 200 || (status >= 300 && status < 400)) throw new MachineFault('malformed')
}

interface ResponseLimits {
  readonly deadlineMs: number
  readonly maxBytes: number
  /** Read the whole answer, up to this size. Left out: a large answer is streamed. */
  readonly wholeBytes?: number
}

// An answer up to this size is read before it is passed on: until then another member may be tried.
const SPLICED_BYTES = 64 * 1024

/** The response of a machine: whole, or its beginning and a stream. */
class MachineResponse implements ResponseReceiver, Deadline, RemainingBody {
  readonly dueAt: number
  length: number | undefined
  isSettled = false
  private readonly begun = Promise.withResolvers<MachineReply>()
  readonly reply = this.begun.promise
  private readonly ended = Promise.withResolvers<number>()
  private readonly maxBytes: number
  private control?: RequestControl
  private target?: Writable
  private readonly chunks: Buffer[] = []
  private size = 0
  private status = 0
  private type: string | undefined
  private hasReplied = false

  constructor(private readonly options: ResponseLimits) {
    this.maxBytes = options.wholeBytes ?? options.maxBytes
    this.dueAt = performance.now() + options.deadlineMs
    // Only a streamed answer waits for its end.
    this.ended.promise.catch(() => {})
    deadlines.add(this)
  }

  /** The caller is gone. */
  abort(): void {
    this.breakOff('aborted')
  }

  expire(): void {
    if (!this.hasReplied) this.breakOff('timeout')
  }

  pipe(to: Writable): Promise<number> {
    this.target = to
    // What was read with the beginning.
    for (const chunk of this.chunks.splice(0)) to.write(chunk)
    this.control?.resume(this)
    return this.ended.promise
  }

  onSend(control: RequestControl): void {
    this.control = control
  }

  onHead(status: number, headers: ResponseHeaders, length: number | undefined): void {
    this.status = status
    this.type = headers.get('content-type')
    this.length = length
    if (length !== undefined && length > this.maxBytes) this.breakOff('too-large')
  }

  onBody(bytes: Buffer): void {
    if (this.isSettled) return
    this.size += bytes.length
    if (this.size > this.maxBytes) this.breakOff('too-large')
    else if (this.target) this.write(Buffer.from(bytes), this.target)
    else this.keep(Buffer.from(bytes))
  }

  onEnd(): void {
    if (this.isSettled) return
    this.isSettled = true
    if (!this.hasReplied) this.answer()
    this.ended.resolve(this.size)
  }

  onError({ kind }: TransportFault): void {
    this.fail(kind)
  }

  private keep(chunk: Buffer): void {
    this.chunks.push(chunk)
    if (this.hasReplied || this.options.wholeBytes !== undefined || this.size < SPLICED_BYTES) return
    this.control?.pause(this)
    this.answer(this)
  }

  private write(chunk: Buffer, target: Writable): void {
    if (target.write(chunk)) return
    this.control?.pause(this)
    target.once('drain', () => this.control?.resume(this))
  }

  private answer(rest?: RemainingBody): void {
    this.hasReplied = true
    const chunks = this.chunks.splice(0)
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    this.begun.resolve({ status: this.status, type: this.type, body, rest })
  }

  private breakOff(kind: MachineFault['kind']): void {
    this.fail(kind)
    this.control?.destroy(this)
  }

  private fail(kind: MachineFault['kind']): void {
    if (this.isSettled) return
    this.isSettled = true
    const fault = new MachineFault(kind)
    this.begun.reject(fault)
    this.ended.reject(fault)
  }
}

// Metadata services of clouds, which give out credentials: no node is there, whatever a driver reports.
const FORBIDDEN = new BlockList()
FORBIDDEN.addSubnet('169.254.0.0', 16)
FORBIDDEN.addSubnet('fe80::', 10, 'ipv6')
FORBIDDEN.addAddress('fd00:ec2::254', 'ipv6')

export function isForbidden(address: string): boolean {
  const plain = address.split('%', 1)[0] as string
  const version = isIP(plain)
  return version !== 0 && FORBIDDEN.check(plain, version === 6 ? 'ipv6' : 'ipv4')
}

type Looked = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** A name may resolve to such an address too. */
function lookUpAllowed(hostname: string, options: LookupOptions, done: Looked): void {
  lookup(hostname, options, (error, address, family) => {
    const addresses = Array.isArray(address) ? address.map((each) => each.address) : [address]
    if (!error && addresses.some(isForbidden)) done(Object.assign(new Error('a forbidden address'), { code: 'EACCES' }), '')
    else done(error, address, family)
  })
}
