import type { ChainChange, ChainView } from '../heads/chain-view.js'
import { type BlockLogs, HeadFeed, type UpstreamSight } from '../heads/head-feed.js'
import { type Listener, Listeners, type Unsubscribe } from '../heads/listeners.js'
import { Topic } from '../heads/topic.js'
import type { Channel } from './channel.js'
import type { HeadState, ToPrimary, TopicName, ToWorker } from './message.js'

/** The chain as the primary follows it for all workers. */
export class RemoteHeadFeed extends HeadFeed {
  readonly upstreams = new Map<string, UpstreamSight>()
  private readonly changes = new Listeners<ChainChange>()
  private readonly logs: Topic<BlockLogs>
  private readonly pending: Topic<readonly string[]>
  private readonly syncing: Topic<unknown>
  private readonly first = Promise.withResolvers<void>()

  constructor(
    readonly chain: ChainView,
    channel: Channel<ToPrimary, ToWorker>,
  ) {
    super()
    // The primary goes on for a while by itself.
    const topic = <T>(name: TopicName) => new Topic<T>((on) => channel.send({ type: 'want', topic: name, on }), 0)
    this.logs = topic('logs')
    this.pending = topic('pending')
    this.syncing = topic('syncing')
    channel.onMessage((message) => this.take(message))
    channel.send({ type: 'follow' })
  }

  ready(): Promise<void> {
    return this.first.promise
  }

  onChange(listener: Listener<ChainChange>): Unsubscribe {
    return this.changes.add(listener)
  }

  onLogs(listener: Listener<BlockLogs>): Unsubscribe {
    return this.logs.listen(listener)
  }

  onPending(listener: Listener<readonly string[]>): Unsubscribe {
    return this.pending.listen(listener)
  }

  onSyncing(listener: Listener<unknown>): Unsubscribe {
    return this.syncing.listen(listener)
  }

  private take(message: ToWorker): void {
    if (message.type === 'change' || message.type === 'state') this.takeState(message.state)
    if (message.type === 'change') this.takeChange(message.change)
    if (message.type === 'logs') this.logs.tell(message.logs)
    if (message.type === 'pending') this.pending.tell(message.hashes)
    if (message.type === 'syncing') this.syncing.tell(message.syncing)
  }

  private takeChange(change: ChainChange): void {
    this.chain.apply(change)
    this.first.resolve()
    this.changes.tell(change)
  }

  private takeState({ finality, upstreams }: HeadState): void {
    this.chain.finalize(finality)
    for (const sight of upstreams) this.upstreams.set(sight.name, sight)
  }
}
