import type { IncomingHttpHeaders } from 'node:http'
import { buildConnector, type Dispatcher, errors, Pool } from 'undici'
import { openTunnel } from './proxy-tunnel.js'
import type { RequestHead } from './request-head.js'
import type { RequestControl, ResponseHeaders, ResponseReceiver, TransportOptions, UpstreamTransport } from './transport.js'
import { malformed, reset, silent, type TransportFault, unreachable } from './transport-fault.js'

const MAX_HEAD_BYTES = 64 * 1024

/** undici's client: slower for small calls, and maintained by the Node project. */
export class UndiciTransport implements UpstreamTransport {
  private readonly pool: Pool
  private readonly silenceMs: number

  constructor(options: TransportOptions) {
    const { url, maxConnections, connectTimeoutMs, keepAliveMs, silenceMs = 0, lookup, tls, proxy } = options
    this.silenceMs = silenceMs
    const connect = { timeout: connectTimeoutMs, ...(lookup && { lookup }), ...tls }
    this.pool = new Pool(url.origin, {
      connections: maxConnections,
      pipelining: 1,
      allowH2: false,
      connect: proxy ? throughProxy(proxy, connect) : connect,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    })
  }

  send({ method, path, headers }: RequestHead, body: Buffer | string | undefined, receiver: ResponseReceiver): void {
    this.pool.dispatch({ method, path, headers: [...headers], body }, new UndiciHandler(receiver, this.silenceMs))
  }

  close(): void {
    void this.pool.close()
  }

  destroy(): void {
    void this.pool.destroy()
  }
}

function throughProxy(proxy: URL, options: buildConnector.BuildOptions): buildConnector.connector {
  const connector = buildConnector(options)
  return (target, callback) => {
    const authority = `${target.hostname}:${target.port || (target.protocol === 'https:' ? 443 : 80)}`
    openTunnel(proxy, authority, (error, socket) => {
      if (!socket) callback(error ?? new Error('no tunnel'), null)
      else if (target.protocol === 'https:') connector({ ...target, httpSocket: socket }, callback)
      else callback(null, socket)
    })
  }
}

/** Passes the events of one request on to its receiver. */
class UndiciHandler implements Dispatcher.DispatchHandler, RequestControl {
  private controller?: Dispatcher.DispatchController

  constructor(
    private readonly receiver: ResponseReceiver,
    private readonly silenceMs: number,
  ) {}

  pause(): void {
    this.controller?.pause()
  }

  resume(): void {
    this.controller?.resume()
  }

  destroy(): void {
    this.controller?.abort(new errors.RequestAbortedError())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    // It may have been given up while it waited for a connection.
    if (this.receiver.isSettled) this.destroy()
    else this.receiver.onSend(this)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    const { 'content-length': length } = headers
    this.receiver.onHead(status, mapOf(headers), length === undefined ? undefined : Number(length))
    this.destroyIfSettled()
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    // After `resume` it passes on an empty part first.
    if (bytes.length > 0) this.receiver.onBody(bytes)
    this.destroyIfSettled()
  }

  onResponseEnd(): void {
    this.receiver.onEnd()
    this.controller = undefined
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const hasBegun = this.controller !== undefined
    this.controller = undefined
    if (!this.receiver.isSettled) this.receiver.onError(faultOf(error, hasBegun, this.silenceMs))
  }

  private destroyIfSettled(): void {
    if (this.receiver.isSettled) this.destroy()
  }
}

function mapOf(headers: IncomingHttpHeaders): ResponseHeaders {
  const map = new Map<string, string>()
  for (const [name, value = ''] of Object.entries(headers)) map.set(name, Array.isArray(value) ? value.join(', ') : value)
  return map
}

function faultOf(error: Error, hasBegun: boolean, silenceMs: number): TransportFault {
  const { code } = error as NodeJS.ErrnoException
  if (!hasBegun) return unreachable(code)
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) return silent(silenceMs)
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return malformed('what is no HTTP/1.1')
  return reset(code)
}
