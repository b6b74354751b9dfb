import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { Snapshot } from '../reading/snapshots.service.js'
import { RULES } from '../settings.module.js'
import { ChainEventsRepository } from './chain-events.repository.js'
import type { EventStream } from './event-stream.engine.js'
import { addressEventText, blockEventText, type NewBlock, type ScriptTouch, transactionEventText } from './event-text.js'

// More than this at once is somebody catching up, not news.
const MOST_BLOCKS = 100
const MOST_TRANSACTIONS = 1000

/** Reads what is new and tells it to those streams that want to know. */
@Injectable()
export class ChainEventsService {
  constructor(
    private readonly news: ChainEventsRepository,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  lastSeq({ client }: Snapshot): Promise<number | undefined> {
    return this.news.lastSeq(client)
  }

  /** Tells every block that came after this one; false where nobody knows which these are. */
  async sendBlocks({ client }: Snapshot, after: Buffer, streams: readonly EventStream[]): Promise<boolean> {
    const fork = await this.news.findFork(client, after)
    if (fork === undefined) return false
    const keys = keysOf(streams)
    for (const block of await this.news.listBlocks(client, fork, MOST_BLOCKS)) {
      tell(streams, 'block', blockEventText(block))
      if (keys.length > 0) tellTouched(streams, await this.news.listTouchedByBlock(client, block, keys), block)
    }
    return true
  }

  /** Tells every transaction that entered the mempool after this one. */
  async sendTransactions({ client }: Snapshot, afterSeq: number, streams: readonly EventStream[]): Promise<void> {
    const transactions = await this.news.listTransactions(client, afterSeq, MOST_TRANSACTIONS)
    if (streams.some(({ events }) => events.has('tx'))) {
      for (const transaction of transactions) tell(streams, 'tx', transactionEventText(transaction, this.rules.coin))
    }
    const keys = keysOf(streams)
    if (keys.length === 0 || transactions.length === 0) return
    const txids = transactions.map(({ txid }) => txid)
    tellTouched(streams, await this.news.listTouchedByMempool(client, txids, keys))
  }
}

function keysOf(streams: readonly EventStream[]): string[] {
  return [...new Set(streams.flatMap(({ tracked: followed }) => [...followed.keys()]))]
}

function tell(streams: readonly EventStream[], event: 'block' | 'tx', text: string): void {
  for (const stream of streams) if (stream.events.has(event)) stream.send(text, Date.now())
}

function tellTouched(streams: readonly EventStream[], touches: readonly ScriptTouch[], block?: NewBlock): void {
  for (const { key, txid } of touches) {
    for (const stream of streams) {
      const address = stream.tracked.get(key)
      if (address !== undefined) stream.send(addressEventText(address, txid, block), Date.now())
    }
  }
}
