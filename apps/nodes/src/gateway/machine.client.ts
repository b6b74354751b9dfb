import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { ChainFamily } from '@trestle/contracts/chains/chain'
import { type Dispatcher, Pool } from 'undici'
import { MACHINE_USER } from '../software/program-setup.js'
import type { CallBounds } from './call-bounds.js'
import { MachineFault } from './machine-fault.js'
import { type MachineReply, MachineResponse } from './machine-response.engine.js'
import { MemberHealth } from './member-health.js'

interface MachineAddress {
  readonly host: string
  readonly port: number
  readonly password: string
  readonly family: ChainFamily
}

export interface MachineRequest {
  readonly path: string
  /** Left out: a GET. */
  readonly body?: Buffer | string
  /** Read the whole answer before it is returned. */
  readonly isWhole?: boolean
  /** Registers what runs when the caller is gone. */
  onLeave?(leave: () => void): void
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
    // Of the caller's request only the body is passed on: no Authorization, no Cookie, no hop-by-hop header (RFC 9110 section 7.6.1).
    this.getting = ['authorization', `Basic ${Buffer.from(`${MACHINE_USER}:${password}`).toString('base64')}`]
    this.posting = ['content-type', 'application/json', ...(family === 'bitcoin' ? this.getting : [])]
  }

  /** Rejects with a MachineFault. */
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
      // The rest of an answer that is not passed on is not read.
      exchange.abort()
      throw error
    } finally {
      this.outstanding--
    }
  }

  /** Calls under way may end. */
  close(): void {
    void this.pool.close()
  }

  private requestOf(path: string, body: Buffer | string | undefined): Dispatcher.DispatchOptions {
    return body === undefined ? { method: 'GET', path, headers: this.getting } : { method: 'POST', path, headers: this.posting, body }
  }
}

/** Statuses that are about the connection or the machine, not about the call. */
function check({ status }: MachineReply): void {
  if (status === 401 || status === 407) throw new MachineFault('locked')
  if (status === 429 || status === 503) throw new MachineFault('busy')
  if (status === 502 || status === 504 || status < 200 || (status >= 300 && status < 400)) throw new MachineFault('broken')
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
