import { Injectable } from '@nestjs/common'
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices'
import type { ServiceRequest } from '@trestle/contracts/message'
import { consumerName } from '@trestle/contracts/nats/stream-plans'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { isObservable, lastValueFrom } from 'rxjs'
import type { ConsumerDeclaration } from './consumes.js'
import { EventConsumers } from './event-consumers.js'
import { MessagingOptions } from './messaging-options.js'
import { RequestServer } from './request-server.js'

/** The transporter of Nest controllers with `@RepliesTo`, `@Consumes` and `@ConsumesBatch`. */
@Injectable()
export class NatsStrategy extends Server implements CustomTransportStrategy {
  private closed?: Promise<unknown>

  constructor(
    private readonly options: MessagingOptions,
    private readonly requests: RequestServer,
    private readonly consumers: EventConsumers,
    lifecycle: Lifecycle,
  ) {
    super()
    lifecycle.onDrain(async () => void (await this.close()))
  }

  listen(listening: () => void): void {
    for (const [pattern, handler] of this.getHandlers()) {
      const { request, consumer } = (handler.extras ?? {}) as { request?: ServiceRequest; consumer?: ConsumerDeclaration }
      if (request) this.requests.serve(request, (data) => resultOf(handler(data)))
      else if (consumer) this.consume(consumer, handler)
      else throw new Error(`The handler of ${pattern} needs @RepliesTo, @Consumes or @ConsumesBatch.`)
    }
    listening()
  }

  /** Nest closes it once more, after the stop of the service has. */
  close(): Promise<unknown> {
    this.closed ??= Promise.all([this.requests.drain(), this.consumers.drain()])
    return this.closed
  }

  on(): void {}

  unwrap<T>(): T {
    return this.requests.connection.client as T
  }

  private consume(consumer: ConsumerDeclaration, handler: MessageHandler): void {
    if ((!consumer.batch || consumer.event.signedBy) && !this.options.schema)
      throw new Error(`The consumer ${consumer.durable} needs a database for its inbox.`)
    const name = consumerName(this.options.service, consumer.durable)
    this.consumers.start({ ...consumer, name, handler: (payload, delivery) => resultOf(handler(payload, delivery)) })
  }
}

async function resultOf(returned: ReturnType<MessageHandler>): Promise<unknown> {
  const value = await returned
  return isObservable(value) ? lastValueFrom(value, { defaultValue: undefined }) : value
}
