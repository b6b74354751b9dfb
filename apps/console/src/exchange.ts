import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deployment } from '@trestle/contracts/areas'
import type { Agent } from 'undici'

/** One request of a browser. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly url: URL
  /** Whether the browser's connection is HTTPS, by what the ingress says. */
  readonly secure: boolean
}

/** The platform, and the connections to it. */
export interface Behind {
  /** Where each deployment is, by its name. */
  readonly upstreams: ReadonlyMap<string, string>
  readonly deployments: readonly Deployment[]
  readonly agent: Agent
}

export function exchangeOf(request: IncomingMessage, response: ServerResponse): Exchange {
  const { headers } = request
  const given = headers['x-request-id']
  const requestId = typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID()
  const url = new URL(`http://console${request.url?.startsWith('/') ? request.url : '/'}`)
  return { request, response, requestId, url, secure: headers['x-forwarded-proto'] === 'https' }
}
