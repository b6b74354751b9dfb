import type { LookupFunction } from 'node:net'
import type { RequestHead } from './request-head.js'
import type { TransportFault } from './transport-fault.js'

/** Keyed by lower-case name; a field that occurs several times is joined with commas. */
export type ResponseHeaders = ReadonlyMap<string, string>

/** The connection that serves a request. It serves others later, so that each method does nothing unless it still serves this receiver's. */
export interface RequestControl {
  /** Stops reading. What has been read already still arrives. */
  pause(receiver: ResponseReceiver): void
  resume(receiver: ResponseReceiver): void
  /** Gives the request up, and its connection with it. The receiver may get an `onError`. */
  destroy(receiver: ResponseReceiver): void
}

/** Takes what comes of one request: a head, the body in parts and its end, or an error at any time before the end. */
export interface ResponseReceiver {
  /** It was abandoned: the request is not sent, or its connection is closed. */
  readonly isSettled: boolean
  /** The request is being sent. */
  onSend(control: RequestControl): void
  /** Interim responses (1xx) are left out. The length is that of `Content-Length`. */
  onHead(status: number, headers: ResponseHeaders, length: number | undefined): void
  /** The bytes are overwritten once this returns, unless they are where `roomFor` said: copy what is kept, or passed to a stream. */
  onBody(bytes: Buffer): void
  /** Where so many more bytes of the body belong, or some of them: what is read straight to there is not copied. */
  roomFor?(length: number): Buffer | undefined
  onEnd(): void
  onError(fault: TransportFault): void
}

/** The connections to one upstream, over HTTP/1.1. Follows no redirect and undoes no content coding. */
export interface UpstreamTransport {
  /** Never throws; fails by `onError`, which may happen before this returns. */
  send(head: RequestHead, body: Buffer | string | undefined, receiver: ResponseReceiver): void
  /** What has been sent may still be answered; nothing else is sent. */
  close(): void
  /** Breaks off what is under way, too. */
  destroy(): void
}

/** Of connections over TLS; all in PEM. */
interface TransportTls {
  /** Our certificate, for an upstream that wants one, and its key. */
  readonly cert?: string
  readonly key?: string
  /** The authorities that the upstream's certificate is verified by; public ones if left out. */
  readonly ca?: string
}

export interface TransportOptions {
  /** Only protocol, host and port count. */
  readonly url: URL
  readonly maxConnections: number
  readonly connectTimeoutMs: number
  /** How long a connection may idle; less than the upstream allows. */
  readonly keepAliveMs: number
  /** An upstream that sends nothing for so long has failed; by default only the caller's own deadline ends a request. */
  readonly silenceMs?: number
  readonly lookup?: LookupFunction
  readonly tls?: TransportTls
  /** A proxy that opens each connection, by CONNECT. */
  readonly proxy?: URL
}
