import { JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { Injectable } from '@nestjs/common'
import { filters } from '@trestle/contracts/eth-rpc/messages'
import { nameOf } from '@trestle/contracts/message'
import { stateStreamName } from '@trestle/contracts/nats/stream-plans'
import { MessagingOptions } from '@trestle/messaging/messaging-options'
import { NatsConnection } from '@trestle/messaging/nats-connection'

const LIMIT_MS = 1_000
// JetStream's codes: it was written since; no such message.
const PASSED = [10_071, 10_037]

interface StoredHead {
  readonly number: number
}

interface FoundHead extends StoredHead {
  readonly revision: number
}

/**
 * The highest block that any process of the deployment has announced, for five minutes: a subject in the stream of the filters, which has what
 * all processes share. Projects are counted from 1.
 */
@Injectable()
export class HeadFloorClient {
  private readonly stream: string
  private readonly subject: string

  constructor(
    private readonly connection: NatsConnection,
    { service }: MessagingOptions,
  ) {
    this.stream = stateStreamName(filters, service)
    this.subject = nameOf(filters.subject, service).replace('*', '0').replace('*', 'head')
  }

  async read(): Promise<number | undefined> {
    return (await this.find())?.number
  }

  /** Nothing where a higher one is known, or another process writes at the same time. */
  async raise(number: number): Promise<void> {
    const { client } = this.connection
    const stored = await this.find()
    if (!client || (stored && stored.number >= number)) return
    const options = { expect: { lastSubjectSequence: stored?.revision ?? 0 }, timeout: LIMIT_MS }
    await jetstream(client, { timeout: LIMIT_MS })
      .publish(this.subject, JSON.stringify({ number } satisfies StoredHead), options)
      .catch(unlessPassed)
  }

  private async find(): Promise<FoundHead | undefined> {
    const { client } = this.connection
    if (!client) return undefined
    const manager = await jetstreamManager(client, { timeout: LIMIT_MS, checkAPI: false })
    const message = await manager.streams.getMessage(this.stream, { last_by_subj: this.subject }).catch(unlessPassed)
    return message ? { number: message.json<StoredHead>().number, revision: message.seq } : undefined
  }
}

function unlessPassed(error: unknown): undefined {
  if (error instanceof JetStreamApiError && PASSED.includes(error.code)) return undefined
  throw error
}
