import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { transaction } from '@trestle/database/transaction'
import { Problem } from '@trestle/problem/problem'
import { messageOf } from '@trestle/problem/thrown'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Pool, type PoolClient } from 'pg'
import { messageIdOf } from './message-id.js'
import {
  greatestSeq,
  markLost,
  markPublished,
  nextRows,
  type OutboxRow,
  type Published,
  readStreams,
  streamIdOf,
  tryLock,
} from './outbox-rows.js'
import { type StreamState, Streams } from './streams.js'

const POLL_MS = 1_000
const BUSY_MS = 50
const CHECK_MS = 2_000
// Postgres ends a transaction that is idle for ten seconds.
const TURN_MS = 5_000
// What is lost waits until accounts has reset the consumers that are ahead of the stream: it looks every two seconds.
const HOLD_MS = 5_000

/**
 * Publishes the outbox in its order. Replicas take turns under an advisory lock. What a crash publishes a second
 * time is dropped by JetStream (the same message id) or by the consumer's inbox.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap {
  private poll?: NodeJS.Timeout
  private isRequested = false
  private isStopped = false
  private running?: Promise<void>
  /** The streams of this outbox; known once the table was first read. */
  private names?: Set<string>
  /** What each stream last said of itself, and when. */
  private readonly states = new Map<string, StreamState>()
  private readonly checkedAt = new Map<string, number>()
  private lastError = ''

  constructor(
    private readonly pool: Pool,
    private readonly streams: Streams,
    private readonly logger: Logger,
    lifecycle: Lifecycle,
  ) {
    lifecycle.onFlush(() => this.stop())
  }

  onApplicationBootstrap(): void {
    this.poll = setInterval(() => this.wake(), POLL_MS)
    this.streams.connection.onConnected(() => {
      this.checkedAt.clear()
      this.wake()
    })
  }

  /** Reads the outbox now: to be called right after a commit. */
  wake(): void {
    this.isRequested = true
    this.running ??= this.run()
  }

  private async stop(): Promise<void> {
    clearInterval(this.poll)
    this.wake()
    await this.running
    this.isStopped = true
  }

  private async run(): Promise<void> {
    // It must not end before `wake` has assigned `running`.
    await undefined
    while (this.isRequested && !this.isStopped && this.streams.connection.client) {
      this.isRequested = false
      try {
        this.isRequested = (await this.publishNext()) || this.isRequested
        this.lastError = ''
      } catch (error) {
        // What was compared in this turn was not recorded.
        this.states.clear()
        this.checkedAt.clear()
        // Of a stream, `StreamFailures` has logged it.
        if (!(error instanceof Problem)) this.logOnce(error)
      }
    }
    this.running = undefined
  }

  /** Publishes a batch; resolves to whether there may be more. */
  private async publishNext(): Promise<boolean> {
    const more = await transaction(this.pool, async (client) => {
      if (!(await tryLock(client))) return undefined
      this.names ??= new Set(await readStreams(client))
      const rows = await nextRows(client)
      for (const { stream } of rows) this.names.add(stream)
      // What follows a loss must not overtake what is lost.
      return (await this.findLosses(client, this.names)) || this.publish(client, rows)
    })
    if (more === undefined) setTimeout(() => this.wake(), BUSY_MS).unref()
    return more ?? false
  }

  /** Compares each stream with what it has acknowledged (decision 31); resolves to whether rows wait again. */
  private async findLosses(client: PoolClient, names: ReadonlySet<string>): Promise<boolean> {
    let lost = 0
    for (const stream of names) {
      if (Date.now() - (this.checkedAt.get(stream) ?? 0) < CHECK_MS) continue
      const before = this.states.get(stream)
      const state = await this.streams.state(stream)
      this.checkedAt.set(stream, Date.now())
      this.states.set(stream, state)
      const isBehind = state.lastSeq < (await greatestSeq(client, stream))
      if (isBehind || !before || streamIdOf(before) !== streamIdOf(state)) lost += await this.markLost(client, stream, state, isBehind)
    }
    return lost > 0
  }

  private async markLost(client: PoolClient, stream: string, state: StreamState, isCertain: boolean): Promise<number> {
    const rows = await markLost(client, stream, state, isCertain ? HOLD_MS : 0)
    if (rows > 0) this.logger.warn({ stream, rows, isCertain }, 'a stream may have lost messages; publishing them again')
    return rows
  }

  /** One after another, as each must be stored before the next; what was published before a failure counts. */
  private async publish(client: PoolClient, rows: readonly OutboxRow[]): Promise<boolean> {
    const published: Published[] = []
    const greatest = new Map<string, number>()
    const end = Date.now() + TURN_MS
    for (const row of rows) {
      const { id, stream } = row
      const state = this.states.get(stream)
      const seq = state && Date.now() < end ? await this.store(row) : undefined
      if (!state || seq === undefined) break
      published.push({ id, seq, streamId: streamIdOf(state) })
      const last = greatest.get(stream) ?? (await greatestSeq(client, stream))
      greatest.set(stream, seq)
      if (seq > last) continue
      // The sequence was another message's: nothing that the stream acknowledged is certain any more.
      await markPublished(client, published)
      await this.markLost(client, stream, { ...state, lastSeq: 0 }, true)
      return true
    }
    await markPublished(client, published)
    return published.length > 0
  }

  /** Resolves to the sequence that the stream has acknowledged; to nothing where it has not. */
  private async store({ id, republishAt, stream, subject, payload: body, headers }: OutboxRow): Promise<number | undefined> {
    try {
      return (await this.streams.publish({ id: messageIdOf(id, republishAt), stream, subject, body, headers })).seq
    } catch {
      // `StreamFailures` has logged it.
      this.checkedAt.delete(stream)
      return undefined
    }
  }

  /** Each reason once: the outbox is read every second. */
  private logOnce(error: unknown): void {
    const message = messageOf(error)
    if (message !== this.lastError) this.logger.warn({ err: error }, 'the outbox could not be read or updated; trying again')
    this.lastError = message
  }
}
