import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Caller } from '@trestle/contracts/caller'
import type { EndpointSpec, Recording } from '@trestle/contracts/endpoint'
import type { Problem } from '@trestle/problem/problem'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by whoever verifies the bearer token. */
    caller: Caller | undefined
    /** What a handler wants to have in the activity record of this call. */
    serviceData: Record<string, unknown> | undefined
    /** Why the form of a `form` endpoint could not be read; told when the handler asks for its input. */
    formProblem: Problem | undefined
    /** Epoch milliseconds. */
    startedAt: number
    bytesOut: number
  }
  interface FastifyContextConfig {
    endpoint?: EndpointSpec
    /** How calls of a route outside Nest are recorded; by default they are not. */
    recording?: Recording
    /** A route that is no part of the API: the documentation, the front page. */
    internal?: true
    /** A hot path that keeps its own figures: a log line and a histogram would cost as much as its work. */
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

/** The client's address: the nearest hop that is no trusted proxy. Hops that are no address, such as a client may invent, are passed over. */
export function addressOf({ ip, ips = [ip] }: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const address = ips.map((hop) => hop.split('%', 1)[0] ?? '').findLast((hop) => isIP(hop) !== 0)
  return (address ?? ip).replace(/^::ffff:(?=\d+\.)/i, '')
}
