import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { Gauge } from 'prom-client'
import type { ChainChange } from '../heads/followed-chain.js'
import { type BlockLogs, HeadFeed, type LogEntry } from '../heads/head-feed.js'
import { matchesCriteria } from '../methods/log-criteria.js'
import type { BlockReceipt } from '../transactions/block-receipt.js'
import { ReceiptFeed } from '../transactions/receipt-feed.engine.js'
import { WholeTransactionsService } from '../transactions/whole-transactions.service.js'
import { Notification } from './notification.js'
import type { SubscriptionRequest, SubscriptionTopic } from './subscription-request.js'

const MAX_WANTED = 2000
const FETCHED_AT_ONCE = 20

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
    transactionReceipts: new Set(),
    syncing: new Set(),
  }
  private readonly leave: Partial<Record<SubscriptionTopic, () => void>> = {}
  private readonly gauge: Gauge<'topic'>
  /** Pending transactions that are to be fetched whole. */
  private wanted: string[] = []
  private fetching?: Promise<void>

  constructor(
    private readonly feed: HeadFeed,
    private readonly transactions: WholeTransactionsService,
    private readonly receipts: ReceiptFeed,
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
      case 'transactionReceipts':
        return this.receipts.listen((receipts) => this.notifyReceipts(receipts))
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
    const [whole, short] = partitioned(this.listeners.newPendingTransactions)
    if (short.length > 0) for (const hash of hashes) notifyAll(short, JSON.stringify(hash))
    if (whole.length > 0) this.notifyWhole(hashes)
  }

  /** One after another, so that they come in order: of those that wait for long the oldest are left out. */
  private notifyWhole(hashes: readonly string[]): void {
    this.wanted = [...this.wanted, ...hashes].slice(-MAX_WANTED)
    this.fetching ??= this.fetchWhole().finally(() => {
      this.fetching = undefined
    })
  }

  private async fetchWhole(): Promise<void> {
    while (this.wanted.length > 0) {
      const transactions = await this.transactions.list(this.wanted.splice(0, FETCHED_AT_ONCE))
      const [whole] = partitioned(this.listeners.newPendingTransactions)
      for (const transaction of transactions) notifyAll(whole, transaction)
    }
  }

  private notifyReceipts(receipts: readonly BlockReceipt[]): void {
    const all = new Notification(arrayOf(receipts))
    for (const listener of this.listeners.transactionReceipts) {
      const { hashes } = listener
      const matching = hashes && receipts.filter(({ transactionHash }) => hashes.has(transactionHash))
      if (!matching) listener.notify(all)
      else if (matching.length > 0) listener.notify(new Notification(arrayOf(matching)))
    }
  }

  private notify(topic: SubscriptionTopic, result: string): void {
    notifyAll(this.listeners[topic], result)
  }
}

function notifyAll(listeners: Iterable<RpcSubscription>, result: string): void {
  const notification = new Notification(result)
  for (const listener of listeners) listener.notify(notification)
}

/** Those that want whole transactions, and those that want hashes. */
function partitioned(listeners: ReadonlySet<RpcSubscription>): [RpcSubscription[], RpcSubscription[]] {
  const all = [...listeners]
  return [all.filter(({ whole }) => whole), all.filter(({ whole }) => !whole)]
}

function arrayOf(receipts: readonly BlockReceipt[]): string {
  return `[${receipts.map(({ json }) => json).join(',')}]`
}

function asRemoved({ json }: LogEntry): string {
  return JSON.stringify({ ...JSON.parse(json), removed: true })
}
