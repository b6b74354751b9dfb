import { type Dispatcher, Pool } from 'undici'
import { Exchange, type SendOptions } from './exchange.js'
import type { UpstreamConfig } from './upstream.js'

const CONNECTIONS = 128
const CONNECT_MS = 3_000
// Shorter than any node lets a connection idle, unless it says otherwise.
const KEEP_ALIVE_MS = 20_000
// Each exchange has its deadline; this is for what is read only to keep the connection.
const SILENCE_MS = 125_000

/** Of answers whose size nobody limits otherwise. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** Speaks JSON-RPC over HTTP with one upstream. Nothing of its address is ever in an error. */
export class UpstreamClient {
  private readonly pool: Pool
  private readonly path: string
  private readonly headers: string[]

  constructor(readonly config: UpstreamConfig) {
    const { origin, pathname, search, username, password } = new URL(config.url)
    this.pool = new Pool(origin, {
      connections: CONNECTIONS,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: CONNECT_MS },
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
    })
    this.path = pathname + search
    this.headers = ['content-type', 'application/json', 'accept-encoding', 'identity']
    if (username || password) this.headers.push('authorization', basic(decodeURIComponent(username), decodeURIComponent(password)))
  }

  /** The bytes of the answer, or an UpstreamFault. */
  send(body: Buffer | string, options: Partial<SendOptions> & { timeoutMs: number }): Promise<Buffer> {
    return this.open(body, { maxBytes: MAX_ANSWER_BYTES, ...options }).answer
  }

  /** The same, for whoever may want to break it off. */
  open(body: Buffer | string, options: SendOptions): Exchange {
    const exchange = new Exchange(options)
    if (options.signal?.aborted) exchange.abort()
    else this.pool.dispatch(this.requestOf(body), exchange)
    return exchange
  }

  close(): Promise<void> {
    return this.pool.destroy()
  }

  private requestOf(body: Buffer | string): Dispatcher.DispatchOptions {
    return { method: 'POST', path: this.path, headers: this.headers, body }
  }
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
