import { Injectable } from '@nestjs/common'
import type { Transaction } from '@trestle/bitcoin/transaction'
import type { Lease } from '@trestle/database/lease'
import { Clock } from '@trestle/runtime/clock'
import { MempoolClient } from './mempool.client.js'
import { MempoolContents } from './mempool.js'
import { type IndexTip, MempoolRepository } from './mempool.repository.js'

const FETCHED_AT_ONCE = 250
const REMOVED_AT_ONCE = 1_000

/** Makes our mempool what the node's is, as long as both are at the same block. */
@Injectable()
export class MempoolService {
  constructor(
    private readonly node: MempoolClient,
    private readonly mempool: MempoolRepository,
    private readonly clock: Clock,
  ) {}

  /** Waits until nobody else writes it. */
  async begin(signal: AbortSignal): Promise<MempoolFollower> {
    return new MempoolFollower(await this.mempool.acquire(signal), this.node, this.mempool, this.clock)
  }
}

/** The mempool while the lease to write it is ours. */
export class MempoolFollower {
  private tip?: IndexTip
  private memory = new MempoolContents(new Map())

  constructor(
    readonly lease: Lease,
    private readonly node: MempoolClient,
    private readonly mempool: MempoolRepository,
    private readonly clock: Clock,
  ) {}

  /** Looks once. Where index and node are at different blocks nothing is done: what seems gone may be in the block to come. */
  async look(): Promise<void> {
    const tip = await this.mempool.findTip()
    if (!tip) return
    // A block takes what it confirms out of the mempool.
    if (!this.tip?.hash.equals(tip.hash)) this.memory = new MempoolContents(await this.mempool.listKept())
    this.tip = tip
    const listed = await this.node.list(this.lease.signal)
    if (!listed.tip?.equals(tip.hash)) return
    const { gone, fresh } = this.memory.differenceTo(listed.txids)
    if ((await this.remove(gone, tip)) === 'moved') return
    await this.fetch(fresh, tip)
  }

  private async remove(gone: readonly string[], tip: IndexTip): Promise<'done' | 'moved'> {
    for (const txids of inChunks(gone, REMOVED_AT_ONCE)) {
      const removed = await this.mempool.change(this.lease, tip, (client) => this.mempool.remove(client, txids))
      if (removed === undefined) return 'moved'
      this.memory.remove(txids)
    }
    return 'done'
  }

  private async fetch(fresh: readonly string[], tip: IndexTip): Promise<void> {
    for (const txids of inChunks(fresh, FETCHED_AT_ONCE)) {
      const { transactions, strange } = await this.node.fetch(txids, this.lease.signal)
      for (const txid of strange) this.memory.ignore(txid)
      const fitting = this.memory.fitting(transactions)
      if (fitting.length > 0 && (await this.add(fitting, tip)) === 'moved') return
      if (fitting.length < transactions.length) return
    }
  }

  private async add(transactions: readonly Transaction[], tip: IndexTip): Promise<'done' | 'moved'> {
    const arrivals = { transactions, seenAt: this.clock.now(), tip }
    const foreign = await this.mempool.change(this.lease, tip, (client) => this.mempool.add(client, arrivals))
    if (!foreign) return 'moved'
    this.memory.add(transactions)
    this.memory.remove(foreign)
    for (const txid of foreign) this.memory.ignore(txid)
    return 'done'
  }
}

function* inChunks<T>(all: readonly T[], size: number): Iterable<readonly T[]> {
  for (let first = 0; first < all.length; first += size) yield all.slice(first, first + size)
}
