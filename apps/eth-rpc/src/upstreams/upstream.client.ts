import { Connections } from './connections.js'
import { Exchange, type SendOptions } from './exchange.js'
import type { UpstreamConfig } from './upstream.js'

/** Of answers whose size nobody limits otherwise. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** Speaks JSON-RPC over HTTP with one upstream. Nothing of its address is ever in an error. */
export class UpstreamClient {
  private readonly connections: Connections

  constructor(readonly config: UpstreamConfig) {
    const url = new URL(config.url)
    this.connections = new Connections(url, headOf(url))
  }

  /** The bytes of the answer, or an UpstreamFault. */
  send(body: string, options: Partial<SendOptions> & { timeoutMs: number }): Promise<Buffer> {
    return this.open(body, { maxBytes: MAX_ANSWER_BYTES, ...options }).answer
  }

  /** The same, for whoever may want to break it off. */
  open(body: string, options: SendOptions): Exchange {
    const exchange = new Exchange(body, options)
    if (options.signal?.aborted) exchange.abort()
    else this.connections.send(exchange)
    return exchange
  }

  close(): void {
    this.connections.close()
  }
}

/** Of every request, but for the length of its body. */
function headOf({ host, pathname, search, username, password }: URL): string {
  const credentials = username || password ? `authorization: ${basic(decodeURIComponent(username), decodeURIComponent(password))}\r\n` : ''
  return `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\naccept-encoding: identity\r\n${credentials}`
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
