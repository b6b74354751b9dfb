import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { all, compile } from '@fastify/proxy-addr'
import type { Caller } from '@trestle/contracts/caller'
import type { EndpointSpec, Recording } from '@trestle/contracts/endpoint'
import type { Problem } from '@trestle/problem/problem'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the bearer token is verified. */
    caller: Caller | undefined
    /** What a handler adds to the activity record of this request. */
    serviceData: Record<string, unknown> | undefined
    /** Why the form of a `form` endpoint could not be parsed; thrown when the handler reads its input. */
    formProblem: Problem | undefined
    /** Epoch milliseconds. */
    startedAt: number
    bytesOut: number
    /** Kept from the head of the request on: a connection that has closed has none. */
    clientAddress: string
    /** The code of the problem that it was answered with. */
    problemCode: string | undefined
    /** Where tracing is on. */
    traceId: string | undefined
  }
  interface FastifyContextConfig {
    endpoint?: EndpointSpec
    /** How requests to a route outside Nest are recorded; by default they are not. */
    recording?: Recording
    /** Not a part of the API: the documentation, the front page. */
    internal?: true
    /** A hot route with metrics of its own: a log line and a histogram would cost as much as its work. */
    quiet?: true
  }
}

export const requestIds = new AsyncLocalStorage<string>()

/** The id of the request being served, or undefined outside of one. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore()
}

/** The id that a client gave its request, where it is one that may stand in a log; otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID()
}

/** The client's address: the nearest hop that is not a trusted proxy. Hops that are not addresses, which a client may forge, are ignored. */
export function clientAddressOf({ ip, ips = [ip] }: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  // A connection that closed at once has no address, whatever Fastify's types say.
  const address = ips.map((hop) => hop?.split('%', 1)[0] ?? '').findLast((hop) => isIP(hop) !== 0)
  return (address ?? ip ?? 'unknown').replace(/^::ffff:(?=\d+\.)/i, '')
}

/** The same for a request that bypasses Fastify, whose own rule this is. */
export function clientAddresses(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trust = compile([...trustedProxies])
  return (request) => {
    // The nearest hop comes first; Fastify's list is in the same order.
    const ips = all(request, trust)
    return clientAddressOf({ ip: ips.at(-1) ?? 'unknown', ips })
  }
}
