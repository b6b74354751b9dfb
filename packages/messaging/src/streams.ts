import { setTimeout as delay } from 'node:timers/promises'
import {
  AckPolicy,
  type Consumer,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream'
import { errors, nanos } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import type { DomainEvent } from '@trestle/contracts/message'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { toHeaders } from './message-context.js'
import { NatsConnection } from './nats-connection.js'

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
const MAX_JITTER_MS = 100
const DAY_MS = 86_400_000

/** The JetStream streams: created when first needed, and again when they are gone. */
@Injectable()
export class Streams {
  private readonly known = new Map<string, { incarnation: string; at: number }>()

  constructor(readonly connection: NatsConnection) {
    connection.onConnected(() => this.known.clear())
  }

  /** Stores an event; resolves to the incarnation of the stream that has it. JetStream drops a repeated id within two minutes. */
  async publish(event: OutgoingEvent): Promise<string> {
    const options = { msgID: event.id, headers: toHeaders(event.headers), timeout: API_LIMIT_MS }
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
   * Makes sure that a stream stores the event; resolves to the incarnation of the stream.
   * A different one than before means that stored messages may be gone.
   */
  async ensure(address: EventAddress): Promise<string> {
    const known = this.known.get(keyOf(address))
    if (known && Date.now() - known.at < CACHE_MS) return known.incarnation
    const info = await this.create(address)
    // nats-server acknowledges up to two minutes before it syncs to disk: its restart may have lost the last messages of a stream.
    const incarnation = `${info.created} ${this.client.info?.server_id}`
    this.known.set(keyOf(address), { incarnation, at: Date.now() })
    return incarnation
  }

  /** The durable consumer of an event, which waits a minute for a message to be acknowledged. */
  async consumer(event: EventAddress, name: string): Promise<Consumer> {
    await this.ensure(event)
    const manager = await this.manager()
    const config = { ack_wait: nanos(60_000), max_ack_pending: 1_000, max_deliver: -1 }
    await manager.consumers.update(event.stream, name, config).catch(
      ifMissing(() =>
        manager.consumers.add(event.stream, {
          ...config,
          durable_name: name,
          filter_subject: event.subject,
          ack_policy: AckPolicy.Explicit,
        }),
      ),
    )
    return this.jetstream.consumers.get(event.stream, name)
  }

  private async create({ stream, subject }: EventAddress): Promise<StreamInfo> {
    const { streams } = await this.manager()
    // Each service adds its own subject: newer servers refuse a stream a leading `*`, as it matches `$JS` too.
    const subjects = subject.startsWith('*') ? [] : [subject]
    for (;;) {
      const info = await streams
        .info(stream)
        .catch(ifMissing(() => streams.add({ name: stream, subjects, ...LIMITS })))
        // Another process created it first.
        .catch(() => streams.info(stream))
      if (subjects.every((one) => info.config.subjects.includes(one))) return info
      await streams.update(stream, { subjects: [...info.config.subjects, ...subjects] })
      // Of two concurrent updates one is lost: the check above finds out, and the jitter keeps the next try from colliding.
      await delay(Math.random() * MAX_JITTER_MS)
    }
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
  return subject.replace(/^\*/, service)
}

// A consumer may be down for a week. Postgres, not the stream, is where events are safe.
const LIMITS = {
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  max_age: nanos(7 * DAY_MS),
  max_bytes: 512 * 1024 * 1024,
  duplicate_window: nanos(120_000),
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

function ifMissing<T>(make: () => Promise<T>): (error: unknown) => Promise<T> {
  return (error) => {
    if (error instanceof JetStreamApiError && error.status === 404) return make()
    throw error
  }
}
