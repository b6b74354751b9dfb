import { Problem } from '@trestle/problem/problem'
import type { UnapprovedRequest } from '@trestle/sdk/connection'
import type { Trestle } from '@trestle/sdk/trestle'
import { approvalTexts } from '../texts/approvals.js'
import { lazyCalls } from './lazy-calls.engine.js'
import { currentOrganization } from './organization-choice.engine.js'
import { stepUps } from './step-ups.engine.js'

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
 * Calls the platform through the console's server, which adds the token that no script can read.
 * The contract of an area is loaded with the first call: it is larger than the first paint needs.
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
    return callsOf(
      endpoints,
      connectionTo(name, { url: `${location.origin}/api`, fetch: consoleFetch, stepUp: () => stepUps.request(), approve }),
    ) as unknown as Calls<Kind>
  })
}

/** The token of the approval, once a second person has given it; else they were asked, and the user does the same again later. */
async function approve({ organizationId, ...body }: UnapprovedRequest): Promise<string> {
  const { token } = await platformClient.accounts.approvals.request({ params: { id: organizationId }, body })
  if (token) return token
  throw new Problem('forbidden', 'ApprovalRequested', approvalTexts.requested)
}

/** Hooks depend on the identity of the calls of a chain. */
function onceAChain<T>(make: (chain: string) => T): (chain: string) => T {
  const made = new Map<string, T>()
  return (chain) => {
    const calls = made.get(chain) ?? make(chain)
    made.set(chain, calls)
    return calls
  }
}

/** Calls the console's server, with the header that a page of another site cannot send. */
export function consoleFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-trestle-console', '1')
  const organization = currentOrganization()
  if (organization && !isOfNoOrganization(input)) headers.set('trestle-organization', organization)
  return fetch(input, { ...init, headers, credentials: 'same-origin' })
}

/** These calls name their organization themselves, or none: they go on where the chosen one is unknown. */
function isOfNoOrganization(input: RequestInfo | URL): boolean {
  const url = input instanceof Request ? input.url : input.toString()
  return /^\/(session|api\/accounts\/(organizations|invitations))(\/|$)/.test(new URL(url, 'http://console').pathname)
}
