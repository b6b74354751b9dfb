import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'

// Headers are flat lists of names and values here, as Node's `rawHeaders`: repeated ones keep their number and order.

// RFC 9110 section 7.6.1; `trailer` and `proxy-authorization` speak of this hop too, since trailers and proxy logins end here.
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What a proxy sets itself, or has dealt with (`expect`: Node has sent the 100). */
const REPLACED = new Set(['host', 'content-length', 'expect', 'forwarded', 'x-real-ip', 'x-request-id'])

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

/** The headers meant for more than one hop, without those that `Connection` names. */
export function endToEnd(raw: readonly string[]): string[] {
  const named = new Set<string>()
  eachHeader(raw, (name, value) => {
    if (name.toLowerCase() === 'connection') for (const option of value.split(',')) named.add(option.trim().toLowerCase())
  })
  return keep(raw, (name) => !HOP_BY_HOP.has(name) && !named.has(name))
}

interface Hop {
  requestId: string
  /** Peers whose `X-Forwarded-*` are believed. */
  trusted: BlockList
  upgrade: boolean
}

/** The headers a service receives. */
export function requestHeaders(incoming: IncomingMessage, { requestId, trusted, upgrade }: Hop): string[] {
  const passed = keep(endToEnd(incoming.rawHeaders), (name) => !REPLACED.has(name) && !name.startsWith('x-forwarded-'))
  const host = incoming.headers.host ?? ''
  const framing = upgrade ? ['Connection', 'Upgrade', 'Upgrade', 'websocket'] : framingOf(incoming)
  return [...passed, 'Host', host, 'X-Request-Id', requestId, ...forwarding(incoming, trusted), ...framing]
}

/** The headers a client receives. How it reaches the platform (RFC 6797) is not for a service behind to say. */
export function answerHeaders(raw: readonly string[], requestId: string): string[] {
  return [...keep(endToEnd(raw), (name) => name !== 'x-request-id' && name !== 'strict-transport-security'), 'X-Request-Id', requestId]
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function forwarding({ headers, socket }: IncomingMessage, trusted: BlockList): string[] {
  // A dual-stack socket shows an IPv4 peer as ::ffff:192.0.2.1.
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
  const believed = trusted.check(peer, peer.includes(':') ? 'ipv6' : 'ipv4')
  const given = (name: string) => (believed ? headers[name]?.toString() : undefined)
  const before = given('x-forwarded-for')
  return [
    ...['X-Forwarded-For', forwardedFor(before, peer)],
    ...['X-Forwarded-Proto', given('x-forwarded-proto') ?? 'http'],
    ...['X-Forwarded-Host', given('x-forwarded-host') ?? headers.host ?? ''],
  ]
}

/** `X-Forwarded-For` with the peer of this hop at its end. */
export function forwardedFor(before: string | string[] | undefined, peer = ''): string {
  return before?.length ? `${before}, ${peer}` : peer
}

/** How the body is delimited, stated again: a `Connection` header cannot make the two hops disagree about it. */
function framingOf({ headers, method = '' }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  // RFC 9110 section 8.6: an empty body is stated where a body would have a meaning.
  const length = headers['content-length'] ?? (WITH_BODY.has(method) ? '0' : undefined)
  return length === undefined ? [] : ['Content-Length', length]
}

function keep(raw: readonly string[], isKept: (lowerName: string) => boolean): string[] {
  const kept: string[] = []
  eachHeader(raw, (name, value) => {
    if (isKept(name.toLowerCase())) kept.push(name, value)
  })
  return kept
}

function eachHeader(raw: readonly string[], handle: (name: string, value: string) => void): void {
  for (let index = 0; index + 1 < raw.length; index += 2) handle(raw[index] ?? '', raw[index + 1] ?? '')
}
