import { applyDecorators, UseFilters } from '@nestjs/common'
import { Ctx, EventPattern, Payload } from '@nestjs/microservices'
import type { DomainEvent, PayloadOf } from '@trestle/contracts/message'
import type { PoolClient } from 'pg'
import { RethrowFilter } from './rethrow.filter.js'

export interface Delivery {
  /** The id of the event: that of its outbox row. */
  readonly messageId: string
  /** The transaction that also writes the event's inbox row: what else it writes takes effect once. */
  readonly client: PoolClient
}

interface ConsumerOptions {
  /** The consumer's name within the service. It must never change: JetStream keeps the consumer's position under it. */
  readonly durable: string
}

/** What the decorators below attach to a method, for `NatsStrategy`. */
export interface ConsumerDeclaration extends ConsumerOptions {
  readonly event: DomainEvent
  readonly batch: boolean
}

type Consuming<E extends DomainEvent> = (payload: PayloadOf<E>, delivery: Delivery) => Promise<void> | void
type ConsumingBatch<E extends DomainEvent> = (payloads: PayloadOf<E>[], publishers: readonly string[]) => Promise<void> | void
type Decorates<T> = <M extends T>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<M>) => void

/** `@EventPattern` for a domain event: the method applies it exactly once, in the transaction it is handed. */
export function Consumes<E extends DomainEvent>(event: E, { durable }: ConsumerOptions) {
  return consumes({ event, durable, batch: false }) as Decorates<Consuming<E>>
}

/**
 * The method gets several events at a time, and may get one again: its writes must be idempotent. `publishers` has the deployment that
 * published each: NATS lets none publish as another, whatever the payload says.
 */
export function ConsumesBatch<E extends DomainEvent>(event: E, { durable }: ConsumerOptions) {
  return consumes({ event, durable, batch: true }) as Decorates<ConsumingBatch<E>>
}

function consumes(consumer: ConsumerDeclaration) {
  const { event, durable } = consumer
  return applyDecorators(EventPattern({ event: event.subject, durable }, { consumer }), UseFilters(RethrowFilter), injectPayloadAndDelivery)
}

/** Nest hands a method only the payload unless each parameter is decorated. */
const injectPayloadAndDelivery: MethodDecorator = (target, key) => {
  Payload()(target, key, 0)
  Ctx()(target, key, 1)
}
