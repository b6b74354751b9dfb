import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestContext } from '@trestle/gateway/request-context'
import { requestIdOf } from '@trestle/runtime/request'
import type { Agent } from 'undici'

/** One request of a browser. */
export interface BrowserRequest extends Pick<RequestContext, 'request' | 'response' | 'headers'> {
  readonly requestId: string
  readonly url: URL
  /** Whether the browser's connection is HTTPS, as the ingress reports. */
  readonly secure: boolean
}

/** The platform, and the connections to it. */
export interface UpstreamAgent {
  /** The origin of each deployment, by its name. */
  readonly upstreams: ReadonlyMap<string, string>
  readonly agent: Agent
}

export function browserRequestOf(request: IncomingMessage, response: ServerResponse): BrowserRequest {
  const requestId = requestIdOf(request)
  const headers = ['cache-control', 'no-store', 'x-request-id', requestId]
  const url = new URL(`http://console${request.url?.startsWith('/') ? request.url : '/'}`)
  return { request, response, requestId, headers, url, secure: request.headers['x-forwarded-proto'] === 'https' }
}
