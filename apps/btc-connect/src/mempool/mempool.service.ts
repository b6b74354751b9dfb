import { Injectable } from '@nestjs/common'
import type { Transaction } from '@trestle/bitcoin/transaction'
import type { Lease } from '@trestle/database/lease'
import { Clock } from '@trestle/runtime/clock'
import { MempoolClient } from './mempool.client.js'
import { MempoolContents } from './mempool.js'
import { type IndexTip, MempoolRepository } from './mempool.repository.js'

const FETCH_BATCH = 250
const DELETE_BATCH = 1_000

/** Copies the node's mempool while node and index are at the same block. */
@Injectable()
export class MempoolService {
  constructor(
    private readonly node: MempoolClient,
    private readonly mempool: MempoolRepository,
    private readonly clock: Clock,
  ) {}

  /** Waits for the lease of the mempool. */
  async begin(signal: AbortSignal): Promise<MempoolFollower> {
    return new MempoolFollower(await this.mempool.acquire(signal), this.node, this.mempool, this.clock)
  }
}

/** Follows the node's mempool while the lease is held. */
export class MempoolFollower {
  private tip?: IndexTip
  private contents = new MempoolContents(new Map())

  constructor(
    readonly lease: Lease,
    private readonly node: MempoolClient,
    private readonly mempool: MempoolRepository,
    private readonly clock: Clock,
  ) {}

  /** Synchronises once. Does nothing while index and node are at different blocks: a missing transaction may be in the next block. */
  async sync(): Promise<void> {
    const tip = await this.mempool.findTip()
    if (!tip) return
    // A block has removed what it confirms.
    if (!this.tip?.hash.equals(tip.hash)) this.contents = new MempoolContents(await this.mempool.listSizes())
    this.tip = tip
    const listed = await this.node.list(this.lease.signal)
    if (!listed.tip?.equals(tip.hash)) return
    const { gone, missing } = this.contents.differenceTo(listed.txids)
    if ((await this.remove(gone, tip)) === 'moved') return
    await this.fetch(missing, tip)
  }

  private async remove(gone: readonly string[], tip: IndexTip): Promise<'done' | 'moved'> {
    for (const txids of inChunks(gone, DELETE_BATCH)) {
      const removed = await this.mempool.change(this.lease, tip, (client) => this.mempool.delete(client, txids))
      if (removed === undefined) return 'moved'
      this.contents.remove(txids)
    }
    return 'done'
  }

  private async fetch(missing: readonly string[], tip: IndexTip): Promise<void> {
    for (const txids of inChunks(missing, FETCH_BATCH)) {
      const { transactions, unparseable } = await this.node.fetch(txids, this.lease.signal)
      for (const txid of unparseable) this.contents.ignore(txid)
      const fitting = this.contents.fitting(transactions)
      if (fitting.length > 0 && (await this.add(fitting, tip)) === 'moved') return
      if (fitting.length < transactions.length) return
    }
  }

  private async add(transactions: readonly Transaction[], tip: IndexTip): Promise<'done' | 'moved'> {
    const additions = { transactions, seenAt: this.clock.now(), tip }
    const untracked = await this.mempool.change(this.lease, tip, (client) => this.mempool.insert(client, additions))
    if (!untracked) return 'moved'
    this.contents.add(transactions)
    this.contents.remove(untracked)
    for (const txid of untracked) this.contents.ignore(txid)
    return 'done'
  }
}

function* inChunks<T>(all: readonly T[], size: number): Iterable<readonly T[]> {
  for (let first = 0; first < all.length; first += size) yield all.slice(first, first + size)
}
