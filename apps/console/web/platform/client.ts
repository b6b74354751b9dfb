import type { Trestle } from '@trestle/sdk/trestle'
import { later } from './later.js'

const accounts = async () => (await import('@trestle/contracts/accounts/api')).accounts
const bitcoin = async () => (await import('@trestle/contracts/btc-connect/api')).btcConnect
const ethereum = async () => (await import('@trestle/contracts/eth-rpc/api')).ethRpc
const nodes = async () => (await import('@trestle/contracts/nodes/api')).nodesArea
const staking = async () => (await import('@trestle/contracts/staking/api')).staking

type Calls<Name extends keyof Trestle> = Omit<Trestle[Name], 'rpc' | 'provider'>
type Page = { readonly [Name in Exclude<keyof Trestle, 'with'>]: Calls<Name> }

/**
 * The platform as this page calls it: by the console's own server, which adds the token that no script can read.
 * What an area's calls are, and what checks their answers, is loaded with the first of them: it is more than any page's first picture.
 */
export const trestle: Page = {
  accounts: area('accounts', accounts),
  btc: area('btc', bitcoin),
  bch: area('bch', bitcoin),
  ltc: area('ltc', bitcoin),
  eth: area('eth', ethereum),
  etc: area('etc', ethereum),
  staking: area('staking', staking),
  nodes: area('nodes', nodes),
}

function area<Name extends keyof Page>(name: Name, contract: () => Promise<object>): Page[Name] {
  return later(async () => {
    const [{ callsOf, connectionTo }, endpoints] = await Promise.all([import('@trestle/sdk/area'), contract()])
    return callsOf(endpoints, connectionTo(name, { url: `${location.origin}/api`, fetch: own })) as unknown as Page[Name]
  })
}

/** Calls the server of this page; its header is what another site's page cannot send. */
export function own(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-trestle-console', '1')
  return fetch(input, { ...init, headers, credentials: 'same-origin' })
}
