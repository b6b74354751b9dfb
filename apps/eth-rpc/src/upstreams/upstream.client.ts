import { ACCEPTED_CODINGS } from '@trestle/gateway/upstream/content-coding'
import { openTransport, type TransportKind } from '@trestle/gateway/upstream/open-transport'
import { basicAuthorization, RequestHead } from '@trestle/gateway/upstream/request-head'
import { type CollectorOptions, ResponseCollector } from '@trestle/gateway/upstream/response-collector'
import type { ResponseHeaders, UpstreamTransport } from '@trestle/gateway/upstream/transport'
import type { BudgetMeter } from './budgets/budget-meter.engine.js'
import type { UpstreamConfig } from './upstream-config.js'
import { asUpstreamFault, faultOfStatus, type UpstreamFault } from './upstream-fault.js'

/** Of answers that nothing else limits. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024

const MAX_CONNECTIONS = 128
const CONNECT_TIMEOUT_MS = 3_000
// Less than any node allows by default.
const KEEP_ALIVE_MS = 20_000

/** JSON-RPC over HTTP with one upstream. No error contains its address. */
export class UpstreamClient {
  readonly transport: UpstreamTransport
  /** Of every request. */
  readonly head: RequestHead
  /** Counts requests, where it has a budget. */
  meter?: BudgetMeter

  constructor(
    /** How it is reached stays the same. */
    public config: UpstreamConfig,
    transport: TransportKind,
  ) {
    const url = new URL(config.url)
    this.head = headOf(url, config)
    this.transport = openTransport(transport, {
      url,
      maxConnections: MAX_CONNECTIONS,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      keepAliveMs: KEEP_ALIVE_MS,
      tls: config.tls,
      proxy: config.proxy === undefined ? undefined : new URL(config.proxy),
    })
  }

  /** The bytes of the answer, or an UpstreamFault. */
  send(body: string, options: Partial<CollectorOptions> & { timeoutMs: number }): Promise<Buffer> {
    const response = new PendingResponse({ maxBytes: MAX_ANSWER_BYTES, ...options }, this.config.compression)
    this.meter?.count()
    this.transport.send(this.head, body, response)
    return response.body
  }

  close(): void {
    this.transport.destroy()
  }
}

/** A response as a promise. */
export class PendingResponse extends ResponseCollector {
  private readonly settled = Promise.withResolvers<Buffer>()
  readonly body = this.settled.promise

  protected override errorOfStatus(status: number, headers: ResponseHeaders): UpstreamFault | undefined {
    return faultOfStatus(status, headers, Date.now())
  }

  protected override onCollected(body: Buffer): void {
    this.settled.resolve(body)
  }

  protected override onFailed(error: unknown): void {
    this.settled.reject(asUpstreamFault(error))
  }
}

function headOf({ pathname, search, username, password }: URL, { headers: others = {}, compression }: UpstreamConfig): RequestHead {
  const codings = compression ? ACCEPTED_CODINGS : 'identity'
  const headers = ['content-type', 'application/json', 'accept-encoding', codings, ...Object.entries(others).flat()]
  if (username || password) headers.push('authorization', basicAuthorization(decodeURIComponent(username), decodeURIComponent(password)))
  return new RequestHead('POST', pathname + search, headers)
}
