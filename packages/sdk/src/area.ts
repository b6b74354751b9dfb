import { DEPLOYMENTS } from '@trestle/contracts/areas'
import type { Arguments, EndpointSpec, Reply, StreamEvent } from '@trestle/contracts/endpoint'
import { call, pages } from './call.js'
import type { Approve, CallOptions, Connection, Credentials, StepUp } from './connection.js'
import { type StreamOptions, streamEvents } from './event-stream.js'
import type { Pacing } from './retry.js'
import { pause } from './waiting.js'

export interface ConnectionOptions extends Pick<Credentials, 'token'> {
  /** The URL of the ingress, such as `https://trestle.example`, or of a service itself. */
  url: string
  fetch?: typeof globalThis.fetch
  /** The organization that calls are about; by default that of the client key, or the one that a user has alone. */
  organization?: string
  /** The time limit of a call with all its retries; 30 seconds by default. */
  timeoutMs?: number
  /** How often an idempotent call is retried after a temporary failure; 2 by default. */
  retries?: number
  /** Called where a call demands a fresh proof of a second factor (problem `StepUpRequired`). */
  stepUp?: StepUp
  /** Called where a second person has to approve a call (problem `ApprovalRequired`). */
  approve?: Approve
}

type CallInput<E extends EndpointSpec> = Arguments<E> & CallOptions
type Optional<T> = Record<never, never> extends T ? [given?: T] : [given: T]

type CallResult<E extends EndpointSpec> = E extends { reply: object } ? Reply<E> : E extends { replyType: string } ? string : undefined

/** One endpoint: parameters, query, body and credentials in one object; the reply, or a thrown `Problem`. */
export interface Call<E extends EndpointSpec> {
  (...given: Optional<CallInput<E>>): Promise<CallResult<E>>
  /** This page and all that follow it by `Link: rel="next"`. */
  pages(...given: Optional<CallInput<E>>): AsyncGenerator<CallResult<E>, void>
}

/** A stream of events, until the loop over it ends. */
export type StreamCall<E extends EndpointSpec> = (...given: Optional<CallInput<E> & StreamOptions>) => AsyncGenerator<StreamEvent<E>, void>

type CallOf<E extends EndpointSpec> = E extends { replyType: 'text/event-stream' } ? StreamCall<E> : Call<E>
export type Calls<T> = { readonly [K in keyof T]: T[K] extends EndpointSpec ? CallOf<T[K]> : Calls<T[K]> }

// Areas whose paths already begin with their prefix.
const NO_BASE: ReadonlySet<string> = new Set(['', ...DEPLOYMENTS.flatMap(({ name, prefixIsOwn }) => (prefixIsOwn ? [name] : []))])

export const DEFAULT_PACING: Pacing = { random: Math.random, sleep: pause }

/** The connection to a deployment by its name; to the ingress itself for an empty name. */
export function connectionTo(name: string, options: ConnectionOptions, pacing = DEFAULT_PACING): Connection {
  const { url, fetch = globalThis.fetch, timeoutMs = 30_000, retries = 2, token, organization, stepUp, approve } = options
  const basePath = NO_BASE.has(name) ? '' : `/${name}`
  return { url: url.replace(/\/+$/, '') + basePath, basePath, fetch, timeoutMs, retries, pacing, token, organization, stepUp, approve }
}

/** A call for every endpoint. */
export function callsOf<T extends object>(contract: T, connection: Connection): Calls<T> {
  const entries = Object.entries(contract).map(([name, node]) => [
    name,
    isEndpoint(node) ? callOf(node, connection) : callsOf(node, connection),
  ])
  return Object.fromEntries(entries) as Calls<T>
}

function callOf(endpoint: EndpointSpec, connection: Connection) {
  if (endpoint.replyType === 'text/event-stream') return (given?: CallOptions & StreamOptions) => streamEvents(endpoint, connection, given)
  const once = async (given: CallOptions = {}) => (await call(endpoint, connection, given)).reply
  return Object.assign(once, { pages: (given: CallOptions = {}) => pages(endpoint, connection, given) })
}

function isEndpoint(node: object): node is EndpointSpec {
  return 'method' in node && 'path' in node
}
