import { pipeline } from 'node:stream/promises'
import { deploymentOf } from '@trestle/contracts/areas'
import { chainNamed } from '@trestle/contracts/chains/chains'
import { forwardedFor, hasBody } from '@trestle/gateway/hop-headers'
import { onAbandoned } from '@trestle/gateway/request-context'
import { Problem } from '@trestle/problem/problem'
import type { BrowserRequest, UpstreamAgent } from './browser-request.js'
import { tokenOf } from './session-cookie.js'

// The headers that are passed on, and back. A cookie goes neither way.
const PASSED = [
  'accept',
  'content-type',
  'content-length',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'trestle-approval',
  'trestle-organization',
  'user-agent',
]
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
export async function forwardCall(platform: UpstreamAgent, context: BrowserRequest): Promise<void> {
  const { request, response, url } = context
  const path = url.pathname.slice('/api'.length)
  const abandoned = new AbortController()
  onAbandoned(context, () => abandoned.abort())
  const received = await platform.agent.request({
    origin: originOf(path, platform),
    path: path + url.search,
    method: request.method as 'GET',
    headers: { ...picked(request.headers, PASSED), ...callerHeaders(context) },
    body: hasBody(request) ? request : null,
    signal: abandoned.signal,
  })
  response.writeHead(received.statusCode, {
    ...picked(received.headers, RETURNED),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  // A stream of events is delivered from its first line on.
  response.flushHeaders()
  await pipeline(received.body, response).catch(() => response.destroy())
}

/** The token of the caller, and the addresses that the request came by. */
export function callerHeaders({ request, requestId, secure }: BrowserRequest): Record<string, string> {
  const token = tokenOf({ cookie: request.headers.cookie, secure })
  return {
    'x-request-id': requestId,
    ...(token && { authorization: `Bearer ${token}` }),
    'x-forwarded-for': forwardedFor(request.headers['x-forwarded-for'], request.socket.remoteAddress),
    'x-forwarded-proto': secure ? 'https' : 'http',
  }
}

function picked(headers: Record<string, string | string[] | undefined>, names: readonly string[]): Record<string, string | string[]> {
  const entries = names.map((name) => [name, headers[name]] as const)
  return Object.fromEntries(entries.filter((entry): entry is [string, string | string[]] => entry[1] !== undefined))
}

/** The origin that serves a path of the platform. */
export function originOf(path: string, { upstreams, deployments }: Pick<UpstreamAgent, 'upstreams' | 'deployments'>): string {
  const deployment = deploymentOf(path, deployments)
  if (!deployment || deployment.app === 'console') throw unknownArea(path)
  const part = deployment.parts?.find((each) => path === each.path || path.startsWith(`${each.path}/`))
  const origin = (part && upstreams.get(part.name)) ?? upstreams.get(deployment.name)
  if (!origin) throw new Problem('unknown', 'NotDeployed', `${deployment.name} is not deployed here.`)
  return origin
}

function unknownArea(path: string): Problem {
  const [, name = ''] = path.split('/')
  if (chainNamed(name)) return new Problem('unknown', 'NotDeployed', `${name} is not deployed here.`)
  return new Problem('unknown', 'NotFound', `There is no area at ${path}.`)
}
