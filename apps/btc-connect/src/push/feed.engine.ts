import { Injectable } from '@nestjs/common'
import { Signal } from '@trestle/runtime/signal'
import { parseHash } from '../reading/hash.js'
import { type Snapshot, SnapshotsService } from '../reading/snapshots.service.js'
import { ChainEventsService } from './chain-events.service.js'
import { EventStream } from './event-stream.engine.js'
import { openingText } from './event-text.js'
import { NotificationsRepository } from './notifications.repository.js'
import { type Bearer, StreamRegistry } from './stream-registry.engine.js'
import type { Subscription } from './subscription.js'

/** Changes are also polled, in case a notification is lost. */
const POLL_MS = 5000

interface Joining {
  readonly userId: string
  readonly subscription: Subscription
  readonly bearer: Bearer
  /** The block after which the events are sent again. */
  readonly lastEventId?: string
}

/** Everything up to here was sent. */
interface Position {
  readonly tipHash: Buffer
  readonly seq: number
}

/** Keeps all streams at the same position of the chain: one step at a time, each in one snapshot. */
@Injectable()
export class Feed {
  private position?: Position
  private last: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly events: ChainEventsService,
    private readonly streams: StreamRegistry,
    private readonly notifications: NotificationsRepository,
  ) {}

  /** Sends what is new whenever the writer notifies us. */
  async run(signal: AbortSignal): Promise<void> {
    const changes = new Signal()
    this.notifications.listen(() => changes.notify(), signal)
    while (!signal.aborted) {
      await changes.wait(POLL_MS, signal)
      // What could not be read now is read with the next step.
      if (this.streams.all().length > 0) await this.step((snapshot) => this.catchUp(snapshot)).catch(() => {})
    }
  }

  /** Opens a stream, after all others are brought to the same position. */
  join({ userId, subscription, bearer, lastEventId = '' }: Joining): Promise<EventStream> {
    return this.step(async (snapshot) => {
      await this.catchUp(snapshot)
      const tracked = new Map(subscription.tracked.map(({ address, script }) => [snapshot.keyOf(script), address]))
      const stream = new EventStream({ userId, events: subscription.events, tracked })
      const after = parseHash(lastEventId)
      stream.send(openingText(after ?? snapshot.tip.hash), Date.now())
      if (after) await this.events.sendBlocks(snapshot, after, [stream])
      this.streams.add(stream, bearer)
      return stream
    })
  }

  private step<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const step = this.last.then(() => this.snapshots.read(work))
    this.last = step.catch(() => {})
    return step
  }

  private async catchUp(snapshot: Snapshot): Promise<void> {
    const { tip } = snapshot
    const seq = (await this.events.lastSeq(snapshot)) ?? this.position?.seq ?? 0
    const streams = this.streams.all()
    if (this.position && streams.length > 0) {
      const { tipHash, seq: sentSeq } = this.position
      // The index was rebuilt: clients have to reconnect.
      if (!tip.hash.equals(tipHash) && !(await this.events.sendBlocks(snapshot, tipHash, streams))) this.streams.endAll()
      if (seq > sentSeq) await this.events.sendTransactions(snapshot, sentSeq, streams)
    }
    this.position = { tipHash: tip.hash, seq }
  }
}
