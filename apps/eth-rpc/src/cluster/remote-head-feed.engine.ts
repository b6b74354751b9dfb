import type { ChainChange, FollowedChain } from '../heads/followed-chain.js'
import { type BlockLogs, HeadFeed, type UpstreamStatus } from '../heads/head-feed.js'
import { type Listener, Listeners, type Unsubscribe } from '../heads/listeners.js'
import { OnDemandTopic } from '../heads/on-demand-topic.engine.js'
import type { Channel } from './channel.engine.js'
import type { HeadState, ToPrimary, TopicName, ToWorker } from './message.js'

/** The chain as the primary process follows it for all workers. */
export class RemoteHeadFeed extends HeadFeed {
  readonly upstreams = new Map<string, UpstreamStatus>()
  private readonly changes = new Listeners<ChainChange>()
  private readonly logs: OnDemandTopic<BlockLogs>
  private readonly pending: OnDemandTopic<readonly string[]>
  private readonly syncing: OnDemandTopic<unknown>
  private readonly first = Promise.withResolvers<void>()

  constructor(
    readonly chain: FollowedChain,
    private readonly channel: Channel<ToPrimary, ToWorker>,
  ) {
    super()
    // The primary process keeps it running for a while.
    const topic = <T>(name: TopicName) => new OnDemandTopic<T>((on) => channel.send({ type: 'topic', topic: name, on }), 0)
    this.logs = topic('logs')
    this.pending = topic('pending')
    this.syncing = topic('syncing')
    channel.onMessage((message) => this.take(message))
    channel.send({ type: 'follow' })
  }

  ready(): Promise<void> {
    return this.first.promise
  }

  hasten(number: number): void {
    this.channel.send({ type: 'hasten', number })
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
    if (message.type === 'logs') this.logs.notify(message.logs)
    if (message.type === 'pending') this.pending.notify(message.hashes)
    if (message.type === 'syncing') this.syncing.notify(message.syncing)
  }

  private takeChange(change: ChainChange): void {
    this.chain.apply(change)
    this.first.resolve()
    this.changes.notify(change)
  }

  private takeState({ finality, upstreams }: HeadState): void {
    this.chain.finalize(finality)
    const names = new Set(upstreams.map(({ name }) => name))
    for (const name of this.upstreams.keys()) if (!names.has(name)) this.upstreams.delete(name)
    for (const status of upstreams) this.upstreams.set(status.name, status)
  }
}
