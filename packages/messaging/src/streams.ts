import { type Consumer, type JetStreamClient, jetstream, jetstreamManager, type PubAck } from '@nats-io/jetstream'
import { type NatsConnection as Client, errors } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import { type DomainEvent, nameOf } from '@trestle/contracts/message'
import { Problem, retryAfter } from '@trestle/problem/problem'
import { withLeader } from './ensure-stream.js'
import { toHeaders } from './message-context.js'
import { NatsConnection } from './nats-connection.js'
import { Signatures } from './signatures.js'
import { StreamFailures } from './stream-failures.js'

export type EventAddress = Pick<DomainEvent, 'stream' | 'subject'>

interface OutgoingEvent extends EventAddress {
  readonly id: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** What a stream says of itself, as far as a loss shows in it. */
export interface StreamState {
  readonly created: string
  /** Who answers for it: the leader of its servers; of a stream on one, the server (until its restart) that this process is connected to. */
  readonly servers: string
  readonly firstSeq: number
  readonly firstTime: string
  readonly lastSeq: number
}

/** The header of an outbox row that names its stream. Rows of earlier releases have it, so the name stays. */
export const STREAM_HEADER = 'Fact-Stream'

const API_LIMIT_MS = 2_000
const MAX_TRIES = 5

/** The JetStream streams, which accounts creates (`StreamOwner`): to publish to, and to consume from. */
@Injectable()
export class Streams {
  private jetstreamOf?: { client: Client; jetstream: JetStreamClient }

  constructor(
    readonly connection: NatsConnection,
    readonly signatures: Signatures,
    readonly failures: StreamFailures,
  ) {}

  /** Stores an event. JetStream drops a repeated id within two minutes. */
  publish(event: OutgoingEvent): Promise<PubAck> {
    const options = {
      msgID: event.id,
      headers: toHeaders({ ...event.headers, ...this.signatures.eventHeaders(event) }),
      timeout: API_LIMIT_MS,
    }
    return this.attempt('publish to', event.stream, async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await this.jetstream.publish(event.subject, event.body, options)
        } catch (error) {
          if (tries === MAX_TRIES || !hasNoStream(error as Error)) throw error
        }
      }
    })
  }

  /** Rejects while nobody answers for the stream. */
  state(stream: string): Promise<StreamState> {
    return this.attempt('ask', stream, async () => {
      const manager = await jetstreamManager(this.client, { timeout: API_LIMIT_MS, checkAPI: false })
      const { created, cluster, config, state } = withLeader(await manager.streams.info(stream))
      // A leader that is chosen again has what most of its servers have; one that is alone may have lost what it had not synced.
      const servers = config.num_replicas > 1 ? `${cluster?.leader}` : `${this.client.info?.server_id}`
      return { created, servers, firstSeq: state.first_seq, firstTime: state.first_ts, lastSeq: state.last_seq }
    })
  }

  /** The durable consumer of an event. */
  consumer(stream: string, name: string): Promise<Consumer> {
    return this.jetstream.consumers.get(stream, name)
  }

  private get client(): Client {
    const { client } = this.connection
    if (!client) throw new Error('NATS is not connected.')
    return client
  }

  private get jetstream(): JetStreamClient {
    const { client } = this
    if (this.jetstreamOf?.client !== client) this.jetstreamOf = { client, jetstream: jetstream(client, { timeout: API_LIMIT_MS }) }
    return this.jetstreamOf.jetstream
  }

  private async attempt<T>(operation: string, stream: string, work: () => Promise<T>): Promise<T> {
    const { client } = this.connection
    try {
      const result = await work()
      this.failures.succeeded(operation, stream)
      return result
    } catch (cause) {
      // That NATS is away is logged once for all streams.
      if (client && client === this.connection.client) this.failures.failed(operation, stream, cause)
      throw unavailable(cause)
    }
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
