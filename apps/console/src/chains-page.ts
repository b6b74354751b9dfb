import type { ServedChain } from '@trestle/contracts/chains/chain'
import { describeChain } from '@trestle/contracts/chains/discovery'
import type { BrowserRequest } from './browser-request.js'

export interface Chains {
  readonly chains: readonly ServedChain[]
  /** By the names of the deployments. */
  readonly upstreams: ReadonlyMap<string, unknown>
  readonly publicUrl?: string
}

/** What the ingress says at the same path, for the page, and for whoever comes where no ingress of ours stands in front. */
export function sendChains({ request, response, secure, requestId }: BrowserRequest, { chains, upstreams, publicUrl }: Chains): void {
  const base = publicUrl ?? `${secure ? 'https' : 'http'}://${request.headers.host}`
  const body = JSON.stringify(chains.filter(({ name }) => upstreams.has(name)).map((chain) => describeChain(chain, base)))
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-request-id': requestId })
  response.end(request.method === 'HEAD' ? undefined : body)
}
