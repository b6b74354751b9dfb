import type { z } from 'zod'

/** A request over NATS, `<service>.<noun>.<verb>`: one replica of the service replies. */
export interface ServiceRequest {
  readonly subject: string
  readonly request: z.ZodType
  readonly reply: z.ZodType
}

/**
 * Something that happened, `<service>.<noun>.<past-participle>`, over JetStream: delivered at least once, in effect once.
 * A leading `*` stands for the service that publishes it.
 */
export interface DomainEvent {
  readonly subject: string
  /** The JetStream stream that keeps it for its consumers. */
  readonly stream: string
  readonly payload: z.ZodType
}

/** A message over core NATS to current subscribers; never stored. A leading `*` stands for the service. */
export interface Broadcast {
  readonly subject: string
  readonly payload: z.ZodType
}

export function request<const R extends ServiceRequest>(spec: R): R {
  return spec
}

export function domainEvent<const E extends DomainEvent>(spec: E): E {
  return spec
}

export function broadcast<const B extends Broadcast>(spec: B): B {
  return spec
}

export type RequestOf<R extends ServiceRequest> = z.output<R['request']>
export type ReplyOf<R extends ServiceRequest> = z.output<R['reply']>
export type PayloadOf<M extends DomainEvent | Broadcast> = z.output<M['payload']>
