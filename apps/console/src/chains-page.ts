import type { ServedChain } from '@trestle/contracts/chains/chain'
import { type ChainDescription, describeChain } from '@trestle/contracts/chains/discovery'
import { sendAnswer } from '@trestle/gateway/request-context'
import type { BrowserRequest } from './browser-request.js'

export interface Chains {
  readonly chains: readonly ServedChain[]
  /** By the names of the deployments. */
  readonly upstreams: ReadonlyMap<string, unknown>
  readonly publicUrl?: string
}

/** The ingress answers the same path; this is for a platform behind another proxy. */
export function sendChains(context: BrowserRequest, platform: Chains): void {
  const body = Buffer.from(JSON.stringify(describedChains(context, platform)))
  sendAnswer(context, { status: 200, type: 'application/json; charset=utf-8', body: [body] })
}

/** The same for the page itself, as the value of an attribute. */
export function chainsForPage(context: BrowserRequest, platform: Chains): string {
  return JSON.stringify(describedChains(context, platform)).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}

function describedChains({ request, secure }: BrowserRequest, { chains, upstreams, publicUrl }: Chains): ChainDescription[] {
  const base = publicUrl ?? `${secure ? 'https' : 'http'}://${request.headers.host}`
  return chains.filter(({ name }) => upstreams.has(name)).map((chain) => describeChain(chain, base))
}
