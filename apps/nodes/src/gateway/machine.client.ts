import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { ChainFamily } from '@trestle/contracts/chains/chain'
import { type Dispatcher, Pool } from 'undici'
import { MACHINE_USER } from '../software/program-setup.js'
import type { CallBounds } from './call-bounds.js'
import { MachineFault } from './machine-fault.js'
import { type MachineReply, MachineResponse } from './machine-response.engine.js'
import { MemberHealth } from './member-health.js'

export interface MachineAddress {
  readonly host: string
  readonly port: number
  readonly password: string
  readonly family: ChainFamily
}

export interface MachineRequest {
  readonly path: string
  /** Left out: a GET. */
  readonly body?: Buffer | string
  /** Whether the whole answer is wanted at once. */
  readonly isWhole?: boolean
  /** Tells when nobody waits any more. */
  onLeave?(leave: () => void): void
}

// As many as calls are let through to one workload.
const CONNECTIONS = 64
const CONNECT_MS = 3_000
// bitcoind closes a connection that idles for 30 s (-rpcservertimeout): a call must not meet that.
const KEEP_ALIVE_MS = 10_000
const SILENCE_MS = 60_000

/** The way to one machine: its connections, and how it does. */
export class MachineClient {
  readonly health = new MemberHealth()
  outstanding = 0
  private readonly pool: Pool
  private readonly posting: string[]
  private readonly getting: string[]

  constructor(
    { host, port, password, family }: MachineAddress,
    private readonly bounds: CallBounds,
  ) {
    this.pool = new Pool(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`, {
      connections: CONNECTIONS,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: CONNECT_MS, lookup: lookUpAllowed },
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
    })
    // Nothing of what the caller sent beside the body goes on: no Authorization, no Cookie, no hop-by-hop header (RFC 9110 section 7.6.1).
    this.getting = ['authorization', `Basic ${Buffer.from(`${MACHINE_USER}:${password}`).toString('base64')}`]
    this.posting = ['content-type', 'application/json', ...(family === 'bitcoin' ? this.getting : [])]
  }

  /** A reply, or a MachineFault. */
  async ask({ path, body, isWhole, onLeave }: MachineRequest): Promise<MachineReply> {
    const { deadlineMs, answerBytes, wholeBytes } = this.bounds
    const exchange = new MachineResponse({ deadlineMs, maxBytes: answerBytes, ...(isWhole && { wholeBytes }) })
    onLeave?.(() => exchange.abort())
    this.outstanding++
    this.health.began(performance.now())
    this.pool.dispatch(this.requestOf(path, body), exchange)
    try {
      const reply = await exchange.reply
      check(reply)
      this.health.answered()
      return reply
    } catch (error) {
      if (error instanceof MachineFault && (error.kind === 'aborted' || error.kind === 'too-large')) this.health.ended()
      else this.health.failed(performance.now())
      // Of an answer that is not passed on the rest is not waited for.
      exchange.abort()
      throw error
    } finally {
      this.outstanding--
    }
  }

  /** What is under way may end. */
  close(): void {
    void this.pool.close()
  }

  private requestOf(path: string, body: Buffer | string | undefined): Dispatcher.DispatchOptions {
    return body === undefined ? { method: 'GET', path, headers: this.getting } : { method: 'POST', path, headers: this.posting, body }
  }
}

/** Answers that are about the way to the machine, and not about the call. */
function check({ status }: MachineReply): void {
  if (status === 401 || status === 407) throw new MachineFault('locked')
  if (status === 429 || status === 503) throw new MachineFault('busy')
  if (status === 502 || status === 504 || status < 200 || (status >= 300 && status < 400)) throw new MachineFault('broken')
}

// Where clouds keep what a machine may know of itself, credentials among it: no node lives there, whatever a driver was told.
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

/** A name may lead there too. */
function lookUpAllowed(hostname: string, options: LookupOptions, done: Looked): void {
  lookup(hostname, options, (error, address, family) => {
    const found = Array.isArray(address) ? address.map((each) => each.address) : [address]
    if (!error && found.some(isForbidden)) done(Object.assign(new Error('a forbidden address'), { code: 'EACCES' }), '')
    else done(error, address, family)
  })
}
