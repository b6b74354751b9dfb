import type { Trestle } from '@trestle/sdk/trestle'
import { lazyCalls } from './lazy-calls.engine.js'

const accounts = async () => (await import('@trestle/contracts/accounts/api')).accounts
const bitcoin = async () => (await import('@trestle/contracts/btc-connect/api')).btcConnect
const ethereum = async () => (await import('@trestle/contracts/eth-rpc/api')).ethRpc
const nodes = async () => (await import('@trestle/contracts/nodes/api')).nodesArea
const staking = async () => (await import('@trestle/contracts/staking/api')).staking

type Calls<Name extends keyof Trestle> = Omit<Trestle[Name], 'rpc' | 'provider'>
type Area = 'accounts' | 'staking' | 'nodes'
type Page = { readonly [Name in Area]: Calls<Name> } & {
  /** Of one chain. */
  utxo(chain: string): Calls<'btc'>
  evm(chain: string): Calls<'eth'>
}

/**
 * The platform as this page calls it: by the console's own server, which adds the token that no script can read.
 * What an area's calls are, and what checks their answers, is loaded with the first of them: it is more than any page's first picture.
 */
export const platformClient: Page = {
  accounts: area<'accounts'>('accounts', accounts),
  utxo: onceAChain((chain) => area<'btc'>(chain, bitcoin)),
  evm: onceAChain((chain) => area<'eth'>(chain, ethereum)),
  staking: area<'staking'>('staking', staking),
  nodes: area<'nodes'>('nodes', nodes),
}

function area<Kind extends keyof Trestle>(name: string, contract: () => Promise<object>): Calls<Kind> {
  return lazyCalls(async () => {
    const [{ callsOf, connectionTo }, endpoints] = await Promise.all([import('@trestle/sdk/area'), contract()])
    return callsOf(endpoints, connectionTo(name, { url: `${location.origin}/api`, fetch: own })) as unknown as Calls<Kind>
  })
}

/** The same calls for the same chain: what a page shows depends on them. */
function onceAChain<T>(make: (chain: string) => T): (chain: string) => T {
  const made = new Map<string, T>()
  return (chain) => {
    const calls = made.get(chain) ?? make(chain)
    made.set(chain, calls)
    return calls
  }
}

/** Calls the server of this page; its header is what another site's page cannot send. */
export function own(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-trestle-console', '1')
  return fetch(input, { ...init, headers, credentials: 'same-origin' })
}
