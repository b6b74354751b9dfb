import { Http1Transport } from './http1-transport.js'
import type { TransportOptions, UpstreamTransport } from './transport.js'
import { UndiciTransport } from './undici-transport.js'

/** Our own client, or undici's. */
export const TRANSPORT_KINDS = ['http1', 'undici'] as const

export type TransportKind = (typeof TRANSPORT_KINDS)[number]

const TRANSPORTS: Readonly<Record<TransportKind, new (options: TransportOptions) => UpstreamTransport>> = {
  http1: Http1Transport,
  undici: UndiciTransport,
}

export function openTransport(kind: TransportKind, options: TransportOptions): UpstreamTransport {
  return new TRANSPORTS[kind](options)
}
