import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { transaction } from '@trestle/database/transaction'
import { messageOf } from '@trestle/problem/thrown'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { Logger } from '@trestle/runtime/logger'
import { Pool, type PoolClient } from 'pg'
import { messageIdOf } from './message-id.js'
import {
  greatestSeqs,
  markLost,
  markPublished,
  nextRows,
  type OutboxRow,
  type Published,
  readStreams,
  streamIdOf,
  tryLock,
} from './outbox-rows.js'
import { publishInOrder } from './publish-in-order.js'
import { type StreamState, Streams } from './streams.js'

interface Ack extends Published {
  readonly stream: string
  readonly isDuplicate: boolean
}

const MAX_IN_FLIGHT = 1_000
const POLL_MS = 1_000
const BUSY_MS = 50
const CHECK_MS = 2_000
// Streams are compared at the beginning of a turn; and Postgres ends a transaction that is idle for ten seconds.
const TURN_MS = 2_000

/**
 * Publishes the outbox, the events of each key in their order. Replicas take turns. What a crash publishes a second time is
 * dropped by JetStream (the same message id) or by the consumer's inbox.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap {
  private poll?: NodeJS.Timeout
  private isRequested = false
  private isStopped = false
  private running?: Promise<void>
  /** The streams of this outbox; known once the table was first read. */
  private names?: Set<string>
  /** What each stream last said of itself, and when it was asked. */
  private readonly states = new Map<string, StreamState>()
  private readonly checkedAt = new Map<string, number>()
  /** Those that did not answer. */
  private readonly unreachable = new Set<string>()
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
        this.logOnce(error)
      }
    }
    this.running = undefined
  }

  /** One turn; resolves to whether there may be more to publish now. */
  private async publishNext(): Promise<boolean> {
    const more = await transaction(this.pool, async (client) => {
      if (!(await tryLock(client))) return undefined
      this.names ??= new Set(await readStreams(client))
      // What follows a loss must not overtake what is lost.
      return (await this.findLosses(client, this.names)) || this.relay(client, this.names)
    })
    if (more === undefined) setTimeout(() => this.wake(), BUSY_MS).unref()
    return more ?? false
  }

  /** Compares each stream with what it has acknowledged (decision 31); resolves to whether rows wait again. */
  private async findLosses(client: PoolClient, names: ReadonlySet<string>): Promise<boolean> {
    const due = [...names].filter((stream) => Date.now() - (this.checkedAt.get(stream) ?? 0) >= CHECK_MS)
    if (due.length === 0) return false
    // Of one that does not answer, `StreamFailures` has logged it.
    const states = await Promise.all(due.map((stream) => this.streams.state(stream).catch(() => undefined)))
    const greatest = await greatestSeqs(client, due)
    let lost = 0
    for (const [i, stream] of due.entries()) lost += await this.compare(client, stream, states[i], greatest.get(stream) ?? 0)
    return lost > 0
  }

  private async compare(client: PoolClient, stream: string, state: StreamState | undefined, greatest: number): Promise<number> {
    this.checkedAt.set(stream, Date.now())
    if (!state) {
      this.unreachable.add(stream)
      return 0
    }
    const before = this.states.get(stream)
    this.states.set(stream, state)
    this.unreachable.delete(stream)
    const isUnchanged = before && streamIdOf(before) === streamIdOf(state)
    return isUnchanged && state.lastSeq >= greatest ? 0 : this.markLost(client, stream, state)
  }

  private async markLost(client: PoolClient, stream: string, state: StreamState): Promise<number> {
    const rows = await markLost(client, stream, state)
    this.streams.failures.mayHaveLost(stream, rows)
    return rows
  }

  /** Publishes batch after batch, and records each while the next is published. Ends with the turn, or at a failure. */
  private async relay(client: PoolClient, names: Set<string>): Promise<boolean> {
    const end = Date.now() + TURN_MS
    const known = names.size
    const regressed = new Set<string>()
    const streams = [...this.unreachable]
    let rows = await nextRows(client, { streams, ids: [] })
    let recorded: Promise<unknown> = Promise.resolve()
    let isComplete = true
    let stored = 0
    while (rows.length > 0 && isComplete && regressed.size === 0) {
      for (const { stream } of rows) names.add(stream)
      const publishing = this.publish(rows, end)
      await recorded
      const following = nextRows(client, { streams, ids: rows.map(({ id }) => id) })
      // Both are awaited later.
      following.catch(() => {})
      const acks = await publishing
      isComplete = acks.length === rows.length
      stored += acks.length
      rows = await following
      recorded = this.record(client, acks, regressed)
      recorded.catch(() => {})
    }
    await recorded
    await this.distrust(client, regressed)
    return (!isComplete && stored > 0) || names.size > known || regressed.size > 0
  }

  /** Resolves to what was stored; the rest waits. */
  private async publish(rows: readonly OutboxRow[], end: number): Promise<Ack[]> {
    const acks: Ack[] = []
    await publishInOrder(rows, MAX_IN_FLIGHT, async ({ id, republishAt, stream, subject, payload: body, headers }) => {
      const state = this.states.get(stream)
      // A stream that this outbox has not published to before is compared first.
      if (!state || Date.now() > end) return false
      try {
        const { seq, duplicate } = await this.streams.publish({ id: messageIdOf(id, republishAt), stream, subject, body, headers })
        acks.push({ id, stream, seq, streamId: streamIdOf(state), isDuplicate: duplicate })
        return true
      } catch {
        // `StreamFailures` has logged it.
        this.checkedAt.delete(stream)
        return false
      }
    })
    return acks
  }

  /** Adds the streams that stored a message under a sequence that another had. */
  private async record(client: PoolClient, acks: readonly Ack[], regressed: Set<string>): Promise<void> {
    const greatest = await greatestSeqs(client, [...new Set(acks.map(({ stream }) => stream))])
    for (const { stream, seq, isDuplicate } of acks) if (!isDuplicate && seq <= (greatest.get(stream) ?? 0)) regressed.add(stream)
    await markPublished(client, acks)
  }

  /** Nothing that such a stream acknowledged is certain any more. */
  private async distrust(client: PoolClient, regressed: ReadonlySet<string>): Promise<void> {
    for (const stream of regressed) {
      const state = this.states.get(stream)
      if (state) await this.markLost(client, stream, { ...state, lastSeq: 0 })
    }
  }

  /** Each reason once: the outbox is read every second. */
  private logOnce(error: unknown): void {
    const message = messageOf(error)
    if (message !== this.lastError) this.logger.warn({ err: error }, 'the outbox could not be read or updated; trying again')
    this.lastError = message
  }
}
