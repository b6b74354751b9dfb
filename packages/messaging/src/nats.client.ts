import { Injectable } from '@nestjs/common'
import type { ReplyOf, ServiceRequest } from '@trestle/contracts/message'
import { Problem, retryAfter } from '@trestle/problem/problem'
import type { z } from 'zod'
import { decodeReply } from './envelope.js'
import { messageContext, toHeaders } from './message-context.js'
import { NatsConnection } from './nats-connection.js'

const LIMIT_MS = 500

/** Asks other services. */
@Injectable()
export class NatsClient {
  constructor(private readonly connection: NatsConnection) {}

  /**
   * The answer of one replica of the service that answers this question, within half a second.
   * Throws the Problem it was refused with, or `ServiceUnreachable` when nobody answered.
   */
  async ask<Q extends ServiceRequest>(question: Q, request: z.input<Q['request']>): Promise<ReplyOf<Q>> {
    const body = JSON.stringify(question.request.parse(request))
    return decodeReply(question, await this.send(question.subject, body))
  }

  private async send(subject: string, body: string): Promise<Uint8Array> {
    const { client } = this.connection
    // The client would hold the request back until NATS is there again; the caller is better off knowing now.
    if (!client) throw unreachable(subject, 'NATS is away')
    try {
      const reply = await client.request(subject, body, { timeout: LIMIT_MS, headers: toHeaders(messageContext()) })
      return reply.data
    } catch (cause) {
      throw unreachable(subject, cause)
    }
  }
}

function unreachable(subject: string, cause: unknown): Problem {
  const service = subject.split('.', 1)[0]
  return new Problem('unavailable', 'ServiceUnreachable', `The ${service} service does not answer at the moment.`, {
    cause,
    headers: retryAfter(1),
  })
}
