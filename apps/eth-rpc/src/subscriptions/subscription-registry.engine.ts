import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { Gauge } from 'prom-client'
import type { ChainChange } from '../heads/followed-chain.js'
import { type BlockLogs, HeadFeed, type LogEntry } from '../heads/head-feed.js'
import { matchesCriteria } from '../methods/log-criteria.js'
import { Notification } from './notification.js'
import type { SubscriptionRequest, SubscriptionTopic } from './subscription-request.js'

/** A subscription of one connection. */
export interface RpcSubscription extends SubscriptionRequest {
  notify(notification: Notification): void
}

/** The subscriptions of this process: what the feed reports once goes to each. */
@Injectable()
export class SubscriptionRegistry {
  private readonly listeners: Record<SubscriptionTopic, Set<RpcSubscription>> = {
    newHeads: new Set(),
    logs: new Set(),
    newPendingTransactions: new Set(),
    syncing: new Set(),
  }
  private readonly leave: Partial<Record<SubscriptionTopic, () => void>> = {}
  private readonly gauge: Gauge<'topic'>

  constructor(
    private readonly feed: HeadFeed,
    { registry }: Metrics,
  ) {
    this.gauge = new Gauge({
      name: 'websocket_subscriptions',
      help: 'Subscriptions over WebSocket, by topic.',
      labelNames: ['topic'] as const,
      registers: [registry],
    })
  }

  add(listener: RpcSubscription): void {
    const { topic } = listener
    this.listeners[topic].add(listener)
    this.leave[topic] ??= this.follow(topic)
    this.gauge.set({ topic }, this.listeners[topic].size)
  }

  remove(listener: RpcSubscription): void {
    const { topic } = listener
    this.listeners[topic].delete(listener)
    this.gauge.set({ topic }, this.listeners[topic].size)
    if (this.listeners[topic].size > 0) return
    this.leave[topic]?.()
    delete this.leave[topic]
  }

  private follow(topic: SubscriptionTopic): () => void {
    switch (topic) {
      case 'newHeads':
        return this.feed.onChange((change) => this.notifyHeads(change))
      case 'logs':
        return this.feed.onLogs((logs) => this.notifyLogs(logs))
      case 'newPendingTransactions':
        return this.feed.onPending((hashes) => this.notifyPending(hashes))
      case 'syncing':
        return this.feed.onSyncing((syncing) => this.notify('syncing', JSON.stringify(syncing)))
    }
  }

  private notifyHeads({ added }: ChainChange): void {
    for (const { header } of added) this.notify('newHeads', header)
  }

  private notifyLogs({ logs, removed }: BlockLogs): void {
    for (const log of logs) {
      let notification: Notification | undefined
      for (const listener of this.listeners.logs) {
        if (listener.criteria && !matchesCriteria(listener.criteria, log)) continue
        notification ??= new Notification(removed ? asRemoved(log) : log.json)
        listener.notify(notification)
      }
    }
  }

  private notifyPending(hashes: readonly string[]): void {
    for (const hash of hashes) this.notify('newPendingTransactions', JSON.stringify(hash))
  }

  private notify(topic: SubscriptionTopic, result: string): void {
    const notification = new Notification(result)
    for (const listener of this.listeners[topic]) listener.notify(notification)
  }
}

function asRemoved({ json }: LogEntry): string {
  return JSON.stringify({ ...JSON.parse(json), removed: true })
}
