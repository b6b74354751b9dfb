import { JetStreamApiError, type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { Injectable } from '@nestjs/common'
import { filters } from '@trestle/contracts/eth-rpc/messages'
import { nameOf } from '@trestle/contracts/message'
import { stateStreamName } from '@trestle/contracts/nats/stream-plans'
import { MessagingOptions } from '@trestle/messaging/messaging-options'
import { NatsConnection } from '@trestle/messaging/nats-connection'
import { unavailable } from '../framing/rpc-error.js'
import { slotOf } from './filter-id.js'
import type { FilterRecord } from './filter-record.js'

const LIMIT_MS = 1000

// JetStream's codes: the record has changed since it was read; no such message.
const WRONG_SEQUENCE = 10_071
const NO_MESSAGE = 10_037

/** Which filter, of which project. */
export interface FilterKey {
  readonly project: number
  readonly id: string
}

interface Stored {
  readonly id: string
  readonly record: FilterRecord
}

interface StoredFilter {
  readonly record: FilterRecord
  /** A write names the revision that was read. */
  readonly revision: number
  readonly writtenAt: number
}

/** The filters of all processes: a subject each, in a JetStream stream that expires what is not written again. */
@Injectable()
export class FilterStoreClient {
  private readonly stream: string
  private readonly pattern: string

  constructor(
    private readonly connection: NatsConnection,
    { service }: MessagingOptions,
  ) {
    this.stream = stateStreamName(filters, service)
    this.pattern = nameOf(filters.subject, service)
  }

  async find(key: FilterKey): Promise<StoredFilter | undefined> {
    return this.ask(async (manager) => {
      const message = await manager.streams.getMessage(this.stream, { last_by_subj: this.subjectOf(key) }).catch(unless(NO_MESSAGE))
      const stored = message?.json<Stored>()
      // Its slot may have another filter by now.
      if (!message || stored?.id !== key.id) return undefined
      return { record: stored.record, revision: message.seq, writtenAt: message.time.getTime() }
    })
  }

  /** False where it was written since it was read. A new filter has revision 0, and its slot must be free. */
  async write(key: FilterKey, record: FilterRecord, revision = 0): Promise<boolean> {
    return this.ask(async (_manager, client) => {
      const options = { expect: { lastSubjectSequence: revision }, timeout: LIMIT_MS }
      const stored = await client
        .publish(this.subjectOf(key), JSON.stringify({ id: key.id, record } satisfies Stored), options)
        .catch(unless(WRONG_SEQUENCE))
      return stored !== undefined
    })
  }

  /** False where it was written since it was read. */
  async remove(key: FilterKey, revision: number): Promise<boolean> {
    return this.ask(async (manager) => {
      const { purged } = await manager.streams.purge(this.stream, { filter: this.subjectOf(key), seq: revision + 1 })
      return purged > 0
    })
  }

  /** The slots of a project that are taken. */
  async listTaken(project: number): Promise<ReadonlySet<string>> {
    return this.ask(async (manager) => {
      const { state } = await manager.streams.info(this.stream, { subjects_filter: this.subject(project, '*') })
      return new Set(Object.keys(state.subjects ?? {}).map((subject) => subject.slice(subject.lastIndexOf('.') + 1)))
    })
  }

  private subjectOf({ project, id }: FilterKey): string {
    return this.subject(project, slotOf(id))
  }

  private subject(project: number | '*', slot: string): string {
    return this.pattern.replace('*', String(project)).replace('*', slot)
  }

  private async ask<T>(question: (manager: JetStreamManager, client: JetStreamClient) => Promise<T>): Promise<T> {
    const { client } = this.connection
    if (!client) throw filtersAway()
    try {
      const options = { timeout: LIMIT_MS }
      return await question(await jetstreamManager(client, { ...options, checkAPI: false }), jetstream(client, options))
    } catch (error) {
      throw filtersAway(error)
    }
  }
}

/** Undefined for this code of JetStream; rethrows any other error. */
function unless(code: number): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof JetStreamApiError && error.code === code) return undefined
    throw error
  }
}

function filtersAway(cause?: unknown) {
  return Object.assign(unavailable('filters cannot be kept at the moment; try again'), { cause })
}
