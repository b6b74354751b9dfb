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
import { slotOf } from './filter-id.js'
import type { FilterRecord } from './filter-record.js'

/** A filter not asked for so long expires, as with geth. */
const IDLE_MS = 5 * 60_000
const LIMIT_MS = 1000
/** Of a record with all the logs it may keep. */
const MAX_BYTES = 1024 * 1024

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
    return `${this.options.service}.filter.${project}.${slot}`
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
