import type { z } from 'zod'

/** A question over NATS: `<service>.<noun>.<verb>`; one replica of the service answers. */
export interface ServiceRequest {
  readonly subject: string
  readonly request: z.ZodType
  readonly reply: z.ZodType
}

/**
 * A fact over JetStream: `<service>.<noun>.<past-participle>`. It is told at least once and takes effect once.
 * A leading `*` stands for the service that tells it.
 */
export interface DomainEvent {
  readonly subject: string
  /** The JetStream stream that keeps it until its consumers have it. */
  readonly stream: string
  readonly payload: z.ZodType
}

/** Said over core NATS to whoever listens now: never stored, and missed by whoever is away. A leading `*` stands for the service. */
export interface Broadcast {
  readonly subject: string
  readonly payload: z.ZodType
}

export function request<const Q extends ServiceRequest>(spec: Q): Q {
  return spec
}

export function domainEvent<const F extends DomainEvent>(spec: F): F {
  return spec
}

export function broadcast<const B extends Broadcast>(spec: B): B {
  return spec
}

export type RequestOf<Q extends ServiceRequest> = z.output<Q['request']>
export type ReplyOf<Q extends ServiceRequest> = z.output<Q['reply']>
export type PayloadOf<F extends DomainEvent | Broadcast> = z.output<F['payload']>
