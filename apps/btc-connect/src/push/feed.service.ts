import { Injectable } from '@nestjs/common'
import { Signal } from '@trestle/runtime/signal'
import { hashOf } from '../reading/hash.js'
import { type Snapshot, Snapshots } from '../reading/snapshots.service.js'
import { EventStream } from './event-stream.js'
import { greeting } from './news.js'
import { News } from './news.service.js'
import { type Bearer, Streams } from './streams.service.js'
import type { Subscription } from './subscription.js'
import { WakeUps } from './wake-ups.repository.js'

/** Where nobody rings, one looks. */
const POLL_MS = 5000

interface Joining {
  readonly userId: string
  readonly subscription: Subscription
  readonly bearer: Bearer
  /** The block after which it wants to be told again. */
  readonly lastEventId?: string
}

/** Everything up to here was told. */
interface Position {
  readonly tipHash: Buffer
  readonly seq: number
}

/** Keeps all streams at one position of the chain; one step at a time, each in one snapshot. */
@Injectable()
export class Feed {
  private position?: Position
  private last: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly snapshots: Snapshots,
    private readonly news: News,
    private readonly streams: Streams,
    private readonly wakeUps: WakeUps,
  ) {}

  /** Tells what is new whenever the writer says that something is. */
  async run(signal: AbortSignal): Promise<void> {
    const bell = new Signal()
    this.wakeUps.listen(() => bell.notify(), signal)
    while (!signal.aborted) {
      await bell.wait(POLL_MS, signal)
      // What could not be read now is still new at the next look.
      if (this.streams.all().length > 0) await this.step((snapshot) => this.catchUp(snapshot)).catch(() => {})
    }
  }

  /** Opens a stream: the others are brought to where it begins. */
  join({ userId, subscription, bearer, lastEventId = '' }: Joining): Promise<EventStream> {
    return this.step(async (snapshot) => {
      await this.catchUp(snapshot)
      const followed = new Map(subscription.followed.map(({ address, script }) => [snapshot.keyOf(script), address]))
      const stream = new EventStream({ userId, events: subscription.events, followed })
      const after = hashOf(lastEventId)
      stream.tell(greeting(after ?? snapshot.tip.hash), Date.now())
      if (after) await this.news.tellBlocks(snapshot, after, [stream])
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
    const seq = (await this.news.lastSeq(snapshot)) ?? this.position?.seq ?? 0
    const streams = this.streams.all()
    if (this.position && streams.length > 0) {
      const { tipHash, seq: told } = this.position
      // The index was begun anew: the streams are to be as well.
      if (!tip.hash.equals(tipHash) && !(await this.news.tellBlocks(snapshot, tipHash, streams))) this.streams.endAll()
      if (seq > told) await this.news.tellTransactions(snapshot, told, streams)
    }
    this.position = { tipHash: tip.hash, seq }
  }
}
