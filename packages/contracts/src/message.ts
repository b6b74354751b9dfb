import type { z } from 'zod'

/** What decides about somebody's rights is believed only with the signature of accounts' root key (decision 30). */
type Signer = 'accounts'

/** A request over NATS, `<service>.<noun>.<verb>`: one replica of the service replies. */
export interface ServiceRequest {
  readonly subject: string
  readonly request: z.ZodType
  readonly reply: z.ZodType
  /** The apps that may send it. */
  readonly requestedBy?: readonly string[]
  /** The apps that a leading `*` stands for: each of their deployments replies to its own. */
  readonly repliedBy?: readonly string[]
  readonly signedBy?: Signer
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
  /** A member of the payload: events with the same value in it are published in their order. Without it, those of a subject are. */
  readonly orderedBy?: string
  /** The apps that a leading `*` stands for. */
  readonly publishedBy?: readonly string[]
  /** The durable consumers. A name must never change: JetStream keeps the consumer's position under it. */
  readonly consumedBy?: readonly EventConsumerName[]
  /** The apps whose replicas all receive it as it is published; of a subject with `*` each deployment receives its own. */
  readonly subscribedBy?: readonly string[]
  readonly signedBy?: Signer
}

interface EventConsumerName {
  readonly app: string
  /** Unique within the app. */
  readonly durable: string
}

/** A message over core NATS to current subscribers; never stored. A leading `*` stands for the service. */
export interface Broadcast {
  readonly subject: string
  readonly payload: z.ZodType
  /** The apps whose processes send it to one another. */
  readonly publishedBy?: readonly string[]
}

/** A JetStream stream that one deployment keeps state in: the last message of each subject. A leading `*` stands for the deployment. */
export interface StateStream {
  readonly stream: string
  readonly subject: string
  readonly keptBy: readonly string[]
  readonly maxAgeMs: number
  readonly maxBytes: number
  readonly maxMessageBytes: number
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

export function stateStream<const S extends StateStream>(spec: S): S {
  return spec
}

/** A request whose subject begins with a `*`, to one deployment. */
export function requestTo<R extends ServiceRequest>(request: R, deployment: string): R {
  return { ...request, subject: nameOf(request.subject, deployment) }
}

/** A stream, or the subject that a deployment publishes under: a leading `*` stands for the deployment. */
export function nameOf(pattern: string, deployment: string): string {
  return pattern.replace(/^\*/, deployment)
}

export type RequestOf<R extends ServiceRequest> = z.output<R['request']>
export type ReplyOf<R extends ServiceRequest> = z.output<R['reply']>
export type PayloadOf<M extends DomainEvent | Broadcast> = z.output<M['payload']>
