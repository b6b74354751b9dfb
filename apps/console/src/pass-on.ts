import { pipeline } from 'node:stream/promises'
import type { Behind, Exchange } from './exchange.js'
import { tokenOf } from './session-cookie.js'
import { originOf } from './upstream.js'

// What a call of the page may say, and what it may hear. A cookie goes neither way.
const PASSED = ['accept', 'content-type', 'content-length', 'idempotency-key', 'if-none-match', 'last-event-id', 'user-agent']
const RETURNED = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-encoding',
  'etag',
  'link',
  'retry-after',
  'x-request-id',
  'vary',
]

/** Passes a call of the page on to the platform, with the token of its cookie. */
export async function passOn(behind: Behind, exchange: Exchange): Promise<void> {
  const { request, response, url } = exchange
  const path = url.pathname.slice('/api'.length)
  const abandoned = new AbortController()
  response.once('close', () => abandoned.abort())
  const received = await behind.agent.request({
    origin: originOf(path, behind),
    path: path + url.search,
    method: request.method as 'GET',
    headers: { ...picked(request.headers, PASSED), ...callerHeaders(exchange) },
    body: hasBody(request.headers) ? request : null,
    signal: abandoned.signal,
  })
  response.writeHead(received.statusCode, {
    ...picked(received.headers, RETURNED),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  // A stream of events is heard from its first line on.
  response.flushHeaders()
  await pipeline(received.body, response).catch(() => response.destroy())
}

/** Who calls: the token, and the addresses that the request came by, ours being the next. */
export function callerHeaders({ request, requestId, secure }: Exchange): Record<string, string> {
  const token = tokenOf({ cookie: request.headers.cookie, secure })
  const addresses = [request.headers['x-forwarded-for'], request.socket.remoteAddress].filter((address) => address !== undefined)
  return {
    'x-request-id': requestId,
    ...(token && { authorization: `Bearer ${token}` }),
    'x-forwarded-for': addresses.join(', '),
    'x-forwarded-proto': secure ? 'https' : 'http',
  }
}

function hasBody(headers: Exchange['request']['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function picked(headers: Record<string, string | string[] | undefined>, names: readonly string[]): Record<string, string | string[]> {
  const found = names.map((name) => [name, headers[name]] as const)
  return Object.fromEntries(found.filter((entry): entry is [string, string | string[]] => entry[1] !== undefined))
}
