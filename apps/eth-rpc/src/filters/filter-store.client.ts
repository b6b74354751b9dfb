import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  StorageType,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { Injectable } from '@nestjs/common'
import { MessagingOptions } from '@trestle/messaging/messaging-options'
import { NatsConnection } from '@trestle/messaging/nats-connection'
import { unavailable } from '../framing/rpc-error.js'
import { placeOf } from './filter-id.js'
import type { FilterRecord } from './filter-record.js'

/** A filter that nobody asks for so long is gone; as with geth. */
const IDLE_MS = 5 * 60_000
const LIMIT_MS = 1000
/** A record with all the logs it may keep. */
const MAX_BYTES = 1024 * 1024

// JetStream's codes: another record than the one that was read; no such message.
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

export interface StoredFilter {
  readonly record: FilterRecord
  /** Of this content: whoever writes says which one was read. */
  readonly revision: number
  readonly writtenAt: number
}

/** The filters of all processes: one place each, which is a subject, in a JetStream stream that forgets what nobody touches. */
@Injectable()
export class FilterStoreClient {
  private readonly stream: string
  #ready?: Promise<JetStreamManager>

  constructor(
    private readonly connection: NatsConnection,
    private readonly options: MessagingOptions,
  ) {
    this.stream = `${options.service}_FILTERS`.toUpperCase()
    // The stream may be gone with the server it was on.
    connection.onConnected(() => {
      this.#ready = undefined
    })
  }

  async find(key: FilterKey): Promise<StoredFilter | undefined> {
    return this.ask(async (manager) => {
      const message = await manager.streams.getMessage(this.stream, { last_by_subj: this.subjectOf(key) }).catch(unless(NO_MESSAGE))
      const stored = message?.json<Stored>()
      // In its place there may be another by now.
      if (!message || stored?.id !== key.id) return undefined
      return { record: stored.record, revision: message.seq, writtenAt: message.time.getTime() }
    })
  }

  /** False when somebody else has written since it was read; a new filter has revision 0, and its place must be free. */
  async write(key: FilterKey, record: FilterRecord, revision = 0): Promise<boolean> {
    return this.ask(async (_manager, client) => {
      const options = { expect: { lastSubjectSequence: revision }, timeout: LIMIT_MS }
      const stored = await client
        .publish(this.subjectOf(key), JSON.stringify({ id: key.id, record } satisfies Stored), options)
        .catch(unless(WRONG_SEQUENCE))
      return stored !== undefined
    })
  }

  /** False when somebody else has written since it was read. */
  async remove(key: FilterKey, revision: number): Promise<boolean> {
    return this.ask(async (manager) => {
      const { purged } = await manager.streams.purge(this.stream, { filter: this.subjectOf(key), seq: revision + 1 })
      return purged > 0
    })
  }

  /** The places of a project that have a filter. */
  async listTaken(project: number): Promise<ReadonlySet<string>> {
    return this.ask(async (manager) => {
      const { state } = await manager.streams.info(this.stream, { subjects_filter: this.subject(project, '*') })
      return new Set(Object.keys(state.subjects ?? {}).map((subject) => subject.slice(subject.lastIndexOf('.') + 1)))
    })
  }

  private subjectOf({ project, id }: FilterKey): string {
    return this.subject(project, placeOf(id))
  }

  private subject(project: number | '*', place: string): string {
    return `${this.options.service}.filter.${project}.${place}`
  }

  private async ask<T>(question: (manager: JetStreamManager, client: JetStreamClient) => Promise<T>): Promise<T> {
    const { client } = this.connection
    if (!client) throw filtersAway()
    try {
      this.#ready ??= this.open()
      return await question(await this.#ready, jetstream(client, { timeout: LIMIT_MS }))
    } catch (error) {
      this.#ready = undefined
      throw filtersAway(error)
    }
  }

  private async open(): Promise<JetStreamManager> {
    const { client } = this.connection
    if (!client) throw filtersAway()
    const manager = await jetstreamManager(client, { timeout: LIMIT_MS })
    await manager.streams.add({
      name: this.stream,
      subjects: [this.subject('*', '*')],
      max_msgs_per_subject: 1,
      max_age: nanos(IDLE_MS),
      max_bytes: 1024 * MAX_BYTES,
      max_msg_size: MAX_BYTES,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
    })
    return manager
  }
}

/** Undefined for that code of JetStream's; any other error goes on. */
function unless(code: number): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof JetStreamApiError && error.code === code) return undefined
    throw error
  }
}

function filtersAway(cause?: unknown) {
  return Object.assign(unavailable('filters cannot be kept at the moment; try again'), { cause })
}
