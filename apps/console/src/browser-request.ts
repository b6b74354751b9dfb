import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deployment } from '@trestle/contracts/areas'
import type { RequestContext } from '@trestle/gateway/request-context'
import { isSecure, transportSecurity } from '@trestle/gateway/transport-security'
import { requestIdOf } from '@trestle/runtime/request'
import type { Agent } from 'undici'

/** One request of a browser. */
export interface BrowserRequest extends Pick<RequestContext, 'request' | 'response' | 'headers'> {
  readonly requestId: string
  readonly url: URL
  /** Whether the browser's connection is HTTPS: as `PUBLIC_URL` says, and without one as the ingress reports. */
  readonly secure: boolean
}

/** The platform, and the connections to it. */
export interface UpstreamAgent {
  /** The origin of each deployment, by its name. */
  readonly upstreams: ReadonlyMap<string, string>
  readonly deployments: readonly Deployment[]
  readonly agent: Agent
}

export function browserRequestOf(request: IncomingMessage, response: ServerResponse, publicUrl: string | undefined): BrowserRequest {
  const requestId = requestIdOf(request)
  const headers = ['cache-control', 'no-store', 'x-request-id', requestId]
  const url = new URL(`http://console${request.url?.startsWith('/') ? request.url : '/'}`)
  const [name, value] = transportSecurity(publicUrl)
  if (name && value) response.setHeader(name, value)
  return { request, response, requestId, headers, url, secure: isSecure(publicUrl) ?? request.headers['x-forwarded-proto'] === 'https' }
}
