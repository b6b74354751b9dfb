import type { ChainChange, FollowedChain } from '../heads/followed-chain.js'
import type { HeadFeed } from '../heads/head-feed.js'
import type { Listener, Unsubscribe } from '../heads/listeners.js'
import type { UpstreamConfig } from '../upstreams/upstream-config.js'
import type { Channel } from './channel.engine.js'
import type { HeadMessage, HeadState, ToPrimary, TopicName, ToWorker } from './message.js'

/** The feed of the process that follows the chain. */
export interface TrackedFeed extends HeadFeed {
  onState(listener: Listener<void>): Unsubscribe
  onConfigs(listener: Listener<readonly UpstreamConfig[]>): Unsubscribe
  readonly configured: readonly UpstreamConfig[]
}

/** Reports the chain to one worker: all that is known when it starts, then every change. */
export class HeadBroadcast {
  private readonly topics = new Map<TopicName, Unsubscribe>()
  private readonly following: Unsubscribe[] = []
  private ended = false

  constructor(
    private readonly feed: TrackedFeed,
    private readonly channel: Channel<ToWorker, ToPrimary>,
  ) {
    channel.onMessage((message) => {
      if (message.type === 'follow') void this.begin()
      if (message.type === 'hasten') this.feed.hasten(message.number)
      if (message.type === 'topic') this.turn(message.topic, message.on)
    })
  }

  /** The worker has ended. */
  end(): void {
    this.ended = true
    for (const unsubscribe of [...this.following, ...this.topics.values()]) unsubscribe()
    this.topics.clear()
  }

  private async begin(): Promise<void> {
    await this.feed.ready()
    if (this.ended) return
    const { chain, configured } = this.feed
    this.send({ type: 'upstreams', configs: configured })
    this.send({ type: 'change', change: wholeOf(chain), state: this.state() })
    this.following.push(
      this.feed.onChange((change) => this.send({ type: 'change', change, state: this.state() })),
      this.feed.onState(() => this.send({ type: 'state', state: this.state() })),
      this.feed.onConfigs((configs) => this.send({ type: 'upstreams', configs })),
    )
  }

  private turn(topic: TopicName, on: boolean): void {
    this.topics.get(topic)?.()
    this.topics.delete(topic)
    if (on && !this.ended) this.topics.set(topic, this.listenTo(topic))
  }

  private listenTo(topic: TopicName): Unsubscribe {
    if (topic === 'logs') return this.feed.onLogs((logs) => this.send({ type: 'logs', logs }))
    if (topic === 'pending') return this.feed.onPending((hashes) => this.send({ type: 'pending', hashes }))
    return this.feed.onSyncing((syncing) => this.send({ type: 'syncing', syncing }))
  }

  private state(): HeadState {
    const { safe, finalized } = this.feed.chain
    return { finality: { safe, finalized }, upstreams: [...this.feed.upstreams.values()] }
  }

  private send(message: HeadMessage): void {
    this.channel.send(message)
  }
}

function wholeOf(chain: FollowedChain): ChainChange {
  const blocks = chain.blocks()
  return { removed: [], added: blocks.slice(-1), resetFrom: blocks.slice(0, -1) }
}
