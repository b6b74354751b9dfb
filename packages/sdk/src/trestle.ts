import { accounts } from '@trestle/contracts/accounts/api'
import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Arguments, Emitted, EndpointSpec, Reply } from '@trestle/contracts/endpoint'
import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { nodesArea } from '@trestle/contracts/nodes/api'
import { staking } from '@trestle/contracts/staking/api'
import { type Connection, type Credentials, call, pages } from './call.js'
import { type Listening, listen } from './event-stream.js'

export interface TrestleOptions extends Pick<Credentials, 'token'> {
  /** The ingress, such as `https://trestle.example`; or a service itself. */
  url: string
  fetch?: typeof globalThis.fetch
  /** How long a call may take, its answer included: 30 seconds unless given. */
  timeoutMs?: number
}

type Given<E extends EndpointSpec> = Arguments<E> & Credentials
type Optional<T> = Record<never, never> extends T ? [given?: T] : [given: T]

/** One endpoint: parameters, query, body and credentials in one object; the reply, or a thrown `Problem`. */
export interface Call<E extends EndpointSpec> {
  (...given: Optional<Given<E>>): Promise<Reply<E>>
  /** This reply and all that follow it by `Link: rel="next"`. */
  pages(...given: Optional<Given<E>>): AsyncGenerator<Reply<E>, void>
}

/** A stream of events: each as it comes, until the loop over them is left. */
export type Listen<E extends EndpointSpec> = (...given: Optional<Given<E> & Listening>) => AsyncGenerator<Emitted<E>, void>

type CallOf<E extends EndpointSpec> = E extends { replyType: 'text/event-stream' } ? Listen<E> : Call<E>
type Calls<T> = { readonly [K in keyof T]: T[K] extends EndpointSpec ? CallOf<T[K]> : Calls<T[K]> }

export interface Trestle {
  readonly accounts: Calls<typeof accounts>
  readonly btc: Calls<typeof btcConnect>
  readonly bch: Calls<typeof btcConnect>
  readonly ltc: Calls<typeof btcConnect>
  readonly eth: Calls<typeof ethRpc>
  readonly etc: Calls<typeof ethRpc>
  readonly staking: Calls<typeof staking>
  readonly nodes: Calls<typeof nodesArea>
  /** The same platform, for whoever holds this token. */
  with(credentials: Required<Pick<Credentials, 'token'>>): Trestle
}

// The paths of an area without a base of its own begin with its prefix already.
const BASE_PATHS = new Map(DEPLOYMENTS.map(({ name, basePath, prefixIsOwn }) => [name, prefixIsOwn ? '' : basePath]))

/** A typed client of the public API. */
export function createTrestle(options: TrestleOptions): Trestle {
  const { url, fetch = globalThis.fetch, timeoutMs = 30_000, token } = options
  const to = (name: string): Connection => ({ url: url.replace(/\/+$/, '') + BASE_PATHS.get(name), fetch, timeoutMs, token })
  return {
    accounts: callsOf(accounts, to('accounts')),
    btc: callsOf(btcConnect, to('btc')),
    bch: callsOf(btcConnect, to('bch')),
    ltc: callsOf(btcConnect, to('ltc')),
    eth: callsOf(ethRpc, to('eth')),
    etc: callsOf(ethRpc, to('etc')),
    staking: callsOf(staking, to('staking')),
    nodes: callsOf(nodesArea, to('nodes')),
    with: (credentials) => createTrestle({ ...options, ...credentials }),
  }
}

function callsOf<T extends object>(tree: T, connection: Connection): Calls<T> {
  const entries = Object.entries(tree).map(([name, node]) => [
    name,
    isEndpoint(node) ? callOf(node, connection) : callsOf(node, connection),
  ])
  return Object.fromEntries(entries) as Calls<T>
}

function callOf(endpoint: EndpointSpec, connection: Connection) {
  if (endpoint.replyType === 'text/event-stream') return (given?: Credentials & Listening) => listen(endpoint, connection, given)
  const once = async (given: Credentials = {}) => (await call(endpoint, connection, given)).reply
  return Object.assign(once, { pages: (given: Credentials = {}) => pages(endpoint, connection, given) })
}

function isEndpoint(node: object): node is EndpointSpec {
  return 'method' in node && 'path' in node
}
