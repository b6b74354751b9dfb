import type { Msg, Subscription } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import { nameOf, type ServiceRequest } from '@trestle/contracts/message'
import { isInbox } from '@trestle/contracts/nats/identities'
import { withTimeout } from '@trestle/runtime/with-timeout'
import { decode, encodeProblem, encodeReply } from './envelope.js'
import { HandlerErrors } from './handler-errors.js'
import { inContextOf, toHeaders } from './message-context.js'
import { MessagingOptions } from './messaging-options.js'
import { NatsConnection } from './nats-connection.js'
import { NONCE, SIGNATURE, Signatures } from './signatures.js'

const DRAIN_LIMIT_MS = 1_000

type Handler = (request: unknown) => Promise<unknown>

/** Replies to requests; each goes to one replica of the service. */
@Injectable()
export class RequestServer {
  private readonly subscriptions: Subscription[] = []
  private readonly inFlight = new Set<Promise<void>>()

  constructor(
    private readonly options: MessagingOptions,
    readonly connection: NatsConnection,
    private readonly errors: HandlerErrors,
    private readonly signatures: Signatures,
  ) {}

  serve(request: ServiceRequest, handler: Handler): void {
    this.connection.onFirstConnected((client) => {
      const subscription = client.subscribe(nameOf(request.subject, this.options.service), {
        queue: this.options.service,
        callback: (error, message) => {
          if (error) return void this.errors.problemOf(error, request.subject)
          // The client names the subject of the reply: it must not make this service publish under one that means something.
          if (!isInbox(message.reply ?? '')) return
          const reply = this.reply(request, handler, message).finally(() => this.inFlight.delete(reply))
          this.inFlight.add(reply)
        },
      })
      this.subscriptions.push(subscription)
    })
  }

  /** Finishes the requests received so far; no client waits longer than the limit. */
  async drain(): Promise<void> {
    const drained = Promise.allSettled(this.subscriptions.map((subscription) => subscription.drain()))
    await withTimeout(DRAIN_LIMIT_MS, () => drained.then(() => Promise.all(this.inFlight))).catch(() => {})
  }

  private async reply(request: ServiceRequest, handler: Handler, message: Msg): Promise<void> {
    try {
      const reply = await inContextOf(message, () => handler(decode(request.request, message.data)))
      this.respond(message, encodeReply(request, reply))
    } catch (error) {
      this.respond(message, encodeProblem(this.errors.problemOf(error, request.subject)))
    }
  }

  private respond(message: Msg, reply: string): void {
    const nonce = message.headers?.get(NONCE) ?? ''
    const signature = this.signatures.signReply({ subject: message.subject, nonce, request: message.data }, reply)
    message.respond(reply, signature ? { headers: toHeaders({ [SIGNATURE]: signature }) } : undefined)
  }
}
