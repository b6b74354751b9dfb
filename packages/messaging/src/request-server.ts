import type { Msg, Subscription } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import type { ServiceRequest } from '@trestle/contracts/message'
import { withTimeout } from '@trestle/runtime/with-timeout'
import { decode, encodeProblem, encodeReply } from './envelope.js'
import { HandlerErrors } from './handler-errors.js'
import { inContextOf } from './message-context.js'
import { MessagingOptions } from './messaging-options.js'
import { NatsConnection } from './nats-connection.js'

const DRAIN_LIMIT_MS = 1_000

type Handler = (request: unknown) => Promise<unknown>

/** Answers questions; of the replicas of a service one gets each. */
@Injectable()
export class RequestServer {
  private readonly subscriptions: Subscription[] = []
  private readonly inFlight = new Set<Promise<void>>()

  constructor(
    private readonly options: MessagingOptions,
    private readonly connection: NatsConnection,
    private readonly failures: HandlerErrors,
  ) {}

  serve(question: ServiceRequest, handler: Handler): void {
    this.connection.onFirstConnected((client) => {
      const subscription = client.subscribe(question.subject, {
        queue: this.options.service,
        callback: (error, message) => {
          if (error) return void this.failures.problemOf(error, question.subject)
          const reply = this.reply(question, handler, message).finally(() => this.inFlight.delete(reply))
          this.inFlight.add(reply)
        },
      })
      this.subscriptions.push(subscription)
    })
  }

  /** Answers what it was asked before it stopped; nobody waits for an answer longer than the limit. */
  async drain(): Promise<void> {
    const drained = Promise.allSettled(this.subscriptions.map((subscription) => subscription.drain()))
    await withTimeout(DRAIN_LIMIT_MS, () => drained.then(() => Promise.all(this.inFlight))).catch(() => {})
  }

  private async reply(question: ServiceRequest, handler: Handler, message: Msg): Promise<void> {
    try {
      const answer = await inContextOf(message, () => handler(decode(question.request, message.data)))
      message.respond(encodeReply(question, answer))
    } catch (error) {
      message.respond(encodeProblem(this.failures.problemOf(error, question.subject)))
    }
  }
}
