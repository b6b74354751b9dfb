import { Controller, type DynamicModule, Module, type Type } from '@nestjs/common'
import type { DeliveryEndpoints } from '@trestle/contracts/delivery'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { Parsed, Serves } from '@trestle/runtime/serves'
import { DeadLetters } from './dead-letters.js'
import { EventConsumers } from './event-consumers.js'
import { OutboxMonitor } from './outbox-monitor.js'

const DEFAULT_LIMIT = 50

type InputOf<K extends keyof DeliveryEndpoints> = Input<DeliveryEndpoints[K]>
type Result<K extends keyof DeliveryEndpoints> = Promise<Reply<DeliveryEndpoints[K]>>

/** Endpoints for administrators: the outbox and the dead letters of a service, in the process that runs its consumers. */
@Module({})
export class DeliveryModule {
  static forRoot(endpoints: DeliveryEndpoints): DynamicModule {
    return { module: DeliveryModule, controllers: [controllerOf(endpoints)] }
  }
}

function controllerOf(endpoints: DeliveryEndpoints): Type {
  @Controller()
  class DeliveryController {
    constructor(
      private readonly outboxMonitor: OutboxMonitor,
      private readonly letters: DeadLetters,
      private readonly consumers: EventConsumers,
    ) {}

    @Serves(endpoints.outbox)
    outbox(): Result<'outbox'> {
      return this.outboxMonitor.state()
    }

    @Serves(endpoints.deadLetters)
    deadLetters(@Parsed() { query: { limit = DEFAULT_LIMIT } }: InputOf<'deadLetters'>): Result<'deadLetters'> {
      return this.letters.list(limit)
    }

    @Serves(endpoints.retry)
    async retry(@Parsed() { params: { id } }: InputOf<'retry'>): Promise<void> {
      await this.consumers.retry(await this.letters.find(id))
      await this.letters.remove(id)
    }

    @Serves(endpoints.discard)
    discard(@Parsed() { params: { id } }: InputOf<'discard'>): Promise<void> {
      return this.letters.remove(id)
    }
  }
  return DeliveryController
}
