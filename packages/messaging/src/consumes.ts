import { applyDecorators, UseFilters } from '@nestjs/common'
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices'
import type { DomainEvent, PayloadOf } from '@trestle/contracts/message'
import type { PoolClient } from 'pg'
import { RethrowFilter } from './rethrow.filter.js'

export interface Delivery {
  /** The id of the fact: that of its outbox row. */
  readonly messageId: string
  /** The transaction that also remembers the fact as received; what is written with it takes effect once. */
  readonly client: PoolClient
}

export interface ConsumerOptions {
  /** The consumer's name within the service. It must never change: JetStream keeps its position under it. */
  readonly durable: string
}

/** What the decorators below leave on a method for the transport strategy to read. */
export interface ConsumerDeclaration extends ConsumerOptions {
  readonly event: DomainEvent
  readonly batch: boolean
}

type Consuming<F extends DomainEvent> = (payload: PayloadOf<F>, delivery: Delivery) => Promise<void> | void
type ConsumingBatch<F extends DomainEvent> = (payloads: PayloadOf<F>[]) => Promise<void> | void
type Decorates<T> = <M extends T>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<M>) => void

/** The method takes each fact into effect exactly once, in the transaction it is handed. */
export function Consumes<F extends DomainEvent>(fact: F, { durable }: ConsumerOptions) {
  return consumes({ event: fact, durable, batch: false }) as Decorates<Consuming<F>>
}

/** The method takes several facts at a time; it may see a fact again, so its write must be idempotent by itself. */
export function ConsumesBatch<F extends DomainEvent>(fact: F, { durable }: ConsumerOptions) {
  return consumes({ event: fact, durable, batch: true }) as Decorates<ConsumingBatch<F>>
}

function consumes(consumer: ConsumerDeclaration) {
  return applyDecorators(MessagePattern(`consumer ${consumer.durable}`, { consumer }), UseFilters(RethrowFilter), takesBoth)
}

/** Nest hands a method only the payload unless each parameter says what it is. */
const takesBoth: MethodDecorator = (target, key) => {
  Payload()(target, key, 0)
  Ctx()(target, key, 1)
}
