import { type Consumer, type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { errors } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import { type DomainEvent, nameOf } from '@trestle/contracts/message'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { toHeaders } from './message-context.js'
import { NatsConnection } from './nats-connection.js'
import { Signatures } from './signatures.js'

export type EventAddress = Pick<DomainEvent, 'stream' | 'subject'>

interface OutgoingEvent extends EventAddress {
  readonly id: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** The header of an outbox row that names its stream. Rows of earlier releases have it, so the name stays. */
export const STREAM_HEADER = 'Fact-Stream'

const API_LIMIT_MS = 2_000
const CACHE_MS = 5_000
const MAX_TRIES = 5

/** The JetStream streams, which accounts creates (`StreamOwner`): to publish to, and to consume from. */
@Injectable()
export class Streams {
  private readonly known = new Map<string, { incarnation: string; at: number }>()

  constructor(
    readonly connection: NatsConnection,
    readonly signatures: Signatures,
  ) {
    connection.onConnected(() => this.known.clear())
  }

  /** Stores an event; resolves to the incarnation of the stream that has it. JetStream drops a repeated id within two minutes. */
  async publish(event: OutgoingEvent): Promise<string> {
    const options = {
      msgID: event.id,
      headers: toHeaders({ ...event.headers, ...this.signatures.eventHeaders(event) }),
      timeout: API_LIMIT_MS,
    }
    for (let tries = 1; ; tries++) {
      try {
        const incarnation = await this.ensure(event)
        await this.jetstream.publish(event.subject, event.body, options)
        return incarnation
      } catch (cause) {
        this.known.delete(keyOf(event))
        if (tries === MAX_TRIES || !hasNoStream(cause as Error)) throw unavailable(cause)
      }
    }
  }

  /**
   * Resolves to the incarnation of the stream that stores the event; rejects while there is none.
   * A different one than before means that stored messages may be gone.
   */
  async ensure(address: EventAddress): Promise<string> {
    const known = this.known.get(keyOf(address))
    if (known && Date.now() - known.at < CACHE_MS) return known.incarnation
    const info = await (await this.manager()).streams.info(address.stream)
    // nats-server acknowledges up to two minutes before it syncs to disk: its restart may have lost the last messages of a stream.
    const incarnation = `${info.created} ${this.client.info?.server_id}`
    this.known.set(keyOf(address), { incarnation, at: Date.now() })
    return incarnation
  }

  /** The durable consumer of an event. */
  consumer(stream: string, name: string): Promise<Consumer> {
    return this.jetstream.consumers.get(stream, name)
  }

  private get client() {
    const { client } = this.connection
    if (!client) throw new Error('NATS is not connected.')
    return client
  }

  private get jetstream(): JetStreamClient {
    return jetstream(this.client, { timeout: API_LIMIT_MS })
  }

  private manager(): Promise<JetStreamManager> {
    return jetstreamManager(this.client, { timeout: API_LIMIT_MS, checkAPI: false })
  }
}

/** The subject that a service publishes under: a leading `*` stands for the service. */
export function subjectOf({ subject }: Pick<EventAddress, 'subject'>, service: string): string {
  return nameOf(subject, service)
}

/** No stream has the subject: it is gone, or another process has just set its subjects without this one. */
function hasNoStream({ cause }: Error): boolean {
  return cause instanceof errors.RequestError && cause.isNoResponders()
}

function unavailable(cause: unknown): Problem {
  return new Problem('unavailable', 'StreamUnavailable', 'The message cannot be stored at the moment.', {
    cause,
    headers: retryAfter(1),
  })
}

function keyOf({ stream, subject }: EventAddress): string {
  return `${stream} ${subject}`
}
