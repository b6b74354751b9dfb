import type { Msg, Subscription } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import type { Question } from '@trestle/contracts/message'
import { within } from '@trestle/runtime/within'
import { decode, encodeAnswer, encodeProblem } from './envelope.js'
import { Failures } from './failures.js'
import { inContextOf } from './message-context.js'
import { MessagingOptions } from './messaging-options.js'
import { NatsConnection } from './nats-connection.js'

const DRAIN_LIMIT_MS = 1_000

type Handler = (request: unknown) => Promise<unknown>

/** Answers questions; of the replicas of a service one gets each. */
@Injectable()
export class QuestionServer {
  private readonly subscriptions: Subscription[] = []
  private readonly inFlight = new Set<Promise<void>>()

  constructor(
    private readonly options: MessagingOptions,
    private readonly connection: NatsConnection,
    private readonly failures: Failures,
  ) {}

  serve(question: Question, handler: Handler): void {
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
    await within(DRAIN_LIMIT_MS, () => drained.then(() => Promise.all(this.inFlight))).catch(() => {})
  }

  private async reply(question: Question, handler: Handler, message: Msg): Promise<void> {
    try {
      const answer = await inContextOf(message, () => handler(decode(question.request, message.data)))
      message.respond(encodeAnswer(question, answer))
    } catch (error) {
      message.respond(encodeProblem(this.failures.problemOf(error, question.subject)))
    }
  }
}
