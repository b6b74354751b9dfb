import type { z } from 'zod'
import { APPROVABLE_PERMISSIONS, type ApprovablePermission, type Permission } from './permissions.js'
import type { SecurityEventKind } from './security-event.js'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call it.
 * `public`: anyone. `basic`: HTTP Basic, checked by the endpoint itself. `account`: an account access token.
 * `client`: an account or a client access token. `manager`: an administrator's account token.
 * With a permission: a token of that kind, of somebody who has the permission in the organization that the request is about.
 */
export type Access = 'public' | 'basic' | 'account' | 'client' | 'manager' | PermittedAccess

export interface PermittedAccess {
  readonly token: 'account' | 'client'
  readonly permission: Permission
  /**
   * Not the organization that the request chose, and the handler checks the permission. `path`: that of `{id}` of the path, under the lock of what it
   * changes. `billing`: that on whose bill the chosen one is.
   */
  readonly organization?: 'path' | 'billing'
}

/** An account or a client token of somebody who has the permission. */
export function can<const P extends Permission>(permission: P) {
  return { token: 'client', permission } as const satisfies PermittedAccess
}

/** An account token of somebody who has the permission: no key may do it. */
export function canInPerson<const P extends Permission>(permission: P) {
  return { token: 'account', permission } as const satisfies PermittedAccess
}

/** The same in the organization that the path names by `{id}`; the handler checks it. */
export function canInPath<const P extends Permission>(permission: P) {
  return { token: 'account', permission, organization: 'path' } as const satisfies PermittedAccess
}

/** The same in the organization on whose bill the chosen one is; the handler checks it. */
export function canInBilling<const P extends Permission>(permission: P) {
  return { token: 'account', permission, organization: 'billing' } as const satisfies PermittedAccess
}

/** The kind of credentials that an endpoint takes. */
export function credentialsOf(access: Access): Exclude<Access, PermittedAccess> {
  return typeof access === 'string' ? access : access.token
}

/**
 * How the activity of a call is recorded: `durable` before the response is sent,
 * `batched` within a second, which a crash may lose, `none` not at all.
 */
export type Recording = 'durable' | 'batched' | 'none'

/** What a call costs its caller's budget: a `creation` leaves rows for ever, or makes machines, keys or mail. */
export type CallClass = 'read' | 'write' | 'creation'

export interface EndpointSpec {
  readonly method: Method
  /** In OpenAPI's form: `/users/{userId}`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly access: Access
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** By lower-case name. */
  readonly headers?: z.ZodObject
  /** The body is a form (RFC 6749); `too`: a form or JSON. */
  readonly form?: true | 'too'
  readonly status: 200 | 201 | 202 | 204
  readonly reply?: z.ZodType
  /** The media type, if it is not JSON. */
  readonly replyType?: 'text/csv' | 'text/html' | 'text/event-stream' | 'application/x-ndjson'
  /** Of an event stream: the `data` of each event, by event name. */
  readonly emits?: Readonly<Record<string, z.ZodType>>
  /** Problem codes, apart from those that every endpoint has. */
  readonly problems?: readonly string[]
  /** By default `batched` for GET, else `durable`. */
  readonly recording?: Recording
  /** The kind under which its calls are in the security log; those of administrators that change something always are. */
  readonly audit?: SecurityEventKind
  /** A user who has a second factor must have proven it within the last minutes (RFC 9470). Programs with client tokens are bound by scopes instead. */
  readonly stepUp?: true
  /** Under which permission an organization puts it under four eyes; by default its own, if that is one of `APPROVABLE_PERMISSIONS`. */
  readonly approval?: ApprovablePermission
  /** It is more than a `write`. */
  readonly creates?: true
}

/** Declares an endpoint of the public API, which `@Serves`, the sdk and the OpenAPI document use. */
export function endpoint<const E extends EndpointSpec>(spec: E): E {
  return spec
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Given<S> = S extends z.ZodType ? z.input<S> : undefined

/** The parsed input of a handler. */
export interface Input<E extends EndpointSpec> {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
  headers: Parsed<E['headers']>
}

/** What a caller passes to an endpoint. */
export type Arguments<E extends EndpointSpec> = (E['params'] extends z.ZodType ? { params: Given<E['params']> } : unknown) &
  (E['query'] extends z.ZodType ? { query?: Given<E['query']> } : unknown) &
  (E['headers'] extends z.ZodType ? { headers?: Given<E['headers']> } : unknown) &
  (E['body'] extends z.ZodType ? (undefined extends Given<E['body']> ? { body?: Given<E['body']> } : { body: Given<E['body']> }) : unknown)

export type Reply<E extends EndpointSpec> = E['reply'] extends z.ZodType ? z.output<E['reply']> : undefined

/** An event of a stream. `id` is the last event id received, from which a new stream can resume. */
export type StreamEvent<E extends EndpointSpec> = {
  [K in keyof E['emits'] & string]: { event: K; id?: string; data: E['emits'][K] extends z.ZodType ? z.output<E['emits'][K]> : never }
}[keyof E['emits'] & string]

/** A number serialized digit by digit (`JSON.rawJSON`): without exponent, exact beyond 2^53. */
export interface ExactNumber {
  readonly rawJSON: string
}

/** A reply that a handler may return: any number may be an ExactNumber. */
export type WritableReply<T> = T extends number ? T | ExactNumber : T extends object ? { [K in keyof T]: WritableReply<T[K]> } : T

export function recordingOf({ method, recording }: EndpointSpec): Recording {
  return recording ?? (method === 'GET' ? 'batched' : 'durable')
}

export function callClassOf({ method, creates }: EndpointSpec): CallClass {
  if (creates) return 'creation'
  return method === 'GET' ? 'read' : 'write'
}

/** The kind under which calls of an endpoint are in the security log. */
export function auditOf({ method, access, audit }: EndpointSpec): SecurityEventKind | undefined {
  return audit ?? (access === 'manager' && method !== 'GET' ? 'administrator-act' : undefined)
}

/** The permission under which an organization may demand the approval of a second person, who must have it, for calls of an endpoint. */
export function approvalOf({ method, access, approval }: EndpointSpec): ApprovablePermission | undefined {
  if (method === 'GET' || typeof access === 'string') return undefined
  return approval ?? APPROVABLE_PERMISSIONS.find((permission) => permission === access.permission)
}
