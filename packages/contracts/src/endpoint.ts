import type { z } from 'zod'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call.
 * `public`: anyone. `basic`: HTTP Basic, checked by the endpoint itself. `account`: an account access token.
 * `client`: an account or a client access token. `manager`: an administrator's account token.
 */
export type Access = 'public' | 'basic' | 'account' | 'client' | 'manager'

/**
 * How sure the activity record of a call is: `durable` is stored before the answer is sent,
 * `batched` may lose the last second in a crash, `none` leaves no record.
 */
export type Recording = 'durable' | 'batched' | 'none'

export interface EndpointSpec {
  readonly method: Method
  /** In OpenAPI's form: `/users/{userId}`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly access: Access
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Those that matter, by their names in lower case. */
  readonly headers?: z.ZodObject
  /** A form instead of JSON (RFC 6749 wants one), or whichever of the two the caller sends. */
  readonly form?: true | 'too'
  readonly status: 200 | 201 | 202 | 204
  readonly reply?: z.ZodType
  /** Something other than JSON. */
  readonly replyType?: 'text/csv' | 'text/html' | 'text/event-stream'
  /** Of a stream of events: what stands in the `data` of each, by its name. */
  readonly emits?: Readonly<Record<string, z.ZodType>>
  /** The problem codes it may answer with, apart from those every endpoint has. */
  readonly problems?: readonly string[]
  /** By default `durable` for what changes something and `batched` for a GET. */
  readonly recording?: Recording
}

/** Declares one endpoint of the public API: served by `@Serves`, called by the sdk, written into the OpenAPI document. */
export function endpoint<const E extends EndpointSpec>(spec: E): E {
  return spec
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Given<S> = S extends z.ZodType ? z.input<S> : undefined

/** What a handler receives, parsed once at the edge. */
export interface Input<E extends EndpointSpec> {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
  headers: Parsed<E['headers']>
}

/** What a caller passes; members the endpoint does not take are left out. */
export type Arguments<E extends EndpointSpec> = (E['params'] extends z.ZodType ? { params: Given<E['params']> } : unknown) &
  (E['query'] extends z.ZodType ? { query?: Given<E['query']> } : unknown) &
  (E['headers'] extends z.ZodType ? { headers?: Given<E['headers']> } : unknown) &
  (E['body'] extends z.ZodType ? (undefined extends Given<E['body']> ? { body?: Given<E['body']> } : { body: Given<E['body']> }) : unknown)

export type Reply<E extends EndpointSpec> = E['reply'] extends z.ZodType ? z.output<E['reply']> : undefined

/** What a stream of events tells. `id` is that of the last event that had one: where to take up again. */
export type StreamEvent<E extends EndpointSpec> = {
  [K in keyof E['emits'] & string]: { event: K; id?: string; data: E['emits'][K] extends z.ZodType ? z.output<E['emits'][K]> : never }
}[keyof E['emits'] & string]

/** A number written digit for digit, as `JSON.rawJSON` makes it: without an exponent, and exact beyond 2^53. */
export interface ExactNumber {
  readonly rawJSON: string
}

/** A reply as a handler may give it: for any number in it an exact one will do. */
export type WritableReply<T> = T extends number ? T | ExactNumber : T extends object ? { [K in keyof T]: WritableReply<T[K]> } : T

export function recordingOf({ method, recording }: EndpointSpec): Recording {
  return recording ?? (method === 'GET' ? 'batched' : 'durable')
}
