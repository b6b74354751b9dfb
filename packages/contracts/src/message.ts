import type { z } from 'zod'

/** A question over NATS: `<service>.<noun>.<verb>`; one replica of the service answers. */
export interface Question {
  readonly subject: string
  readonly request: z.ZodType
  readonly reply: z.ZodType
}

/**
 * A fact over JetStream: `<service>.<noun>.<past-participle>`. It is told at least once and takes effect once.
 * A leading `*` stands for the service that tells it.
 */
export interface Fact {
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

export function question<const Q extends Question>(spec: Q): Q {
  return spec
}

export function fact<const F extends Fact>(spec: F): F {
  return spec
}

export function broadcast<const B extends Broadcast>(spec: B): B {
  return spec
}

export type Request<Q extends Question> = z.output<Q['request']>
export type Answer<Q extends Question> = z.output<Q['reply']>
export type Payload<F extends Fact | Broadcast> = z.output<F['payload']>
