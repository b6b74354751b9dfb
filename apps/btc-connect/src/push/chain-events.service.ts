import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { Snapshot } from '../reading/snapshots.service.js'
import { RULES } from '../settings.module.js'
import { ChainEventsRepository } from './chain-events.repository.js'
import type { EventStream } from './event-stream.engine.js'
import { addressEventText, blockEventText, type NewBlock, type ScriptTouch, transactionEventText } from './event-text.js'

// Events are not for catching up with more than this.
const MAX_BLOCKS = 100
const MAX_TRANSACTIONS = 1000

/** Reads what is new and sends it to the streams that subscribe to it. */
@Injectable()
export class ChainEventsService {
  constructor(
    private readonly events: ChainEventsRepository,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  lastSeq({ client }: Snapshot): Promise<number | undefined> {
    return this.events.findLastSeq(client)
  }

  /** Sends every block after this one; returns false if the index does not know this block. */
  async sendBlocks({ client }: Snapshot, after: Buffer, streams: readonly EventStream[]): Promise<boolean> {
    const fork = await this.events.findFork(client, after)
    if (fork === undefined) return false
    const keys = keysOf(streams)
    for (const block of await this.events.listBlocks(client, fork, MAX_BLOCKS)) {
      send(streams, 'block', blockEventText(block))
      if (keys.length > 0) sendTouched(streams, await this.events.listTouchedByBlock(client, block, keys), block)
    }
    return true
  }

  /** Sends every transaction that entered the mempool after this one. */
  async sendTransactions({ client }: Snapshot, afterSeq: number, streams: readonly EventStream[]): Promise<void> {
    const transactions = await this.events.listTransactions(client, afterSeq, MAX_TRANSACTIONS)
    if (streams.some(({ events }) => events.has('tx'))) {
      for (const transaction of transactions) send(streams, 'tx', transactionEventText(transaction, this.rules.coin))
    }
    const keys = keysOf(streams)
    if (keys.length === 0 || transactions.length === 0) return
    const txids = transactions.map(({ txid }) => txid)
    sendTouched(streams, await this.events.listTouchedByMempool(client, txids, keys))
  }
}

function keysOf(streams: readonly EventStream[]): string[] {
  return [...new Set(streams.flatMap(({ tracked }) => [...tracked.keys()]))]
}

function send(streams: readonly EventStream[], event: 'block' | 'tx', text: string): void {
  for (const stream of streams) if (stream.events.has(event)) stream.send(text, Date.now())
}

function sendTouched(streams: readonly EventStream[], touches: readonly ScriptTouch[], block?: NewBlock): void {
  for (const { key, txid } of touches) {
    for (const stream of streams) {
      const address = stream.tracked.get(key)
      if (address !== undefined) stream.send(addressEventText(address, txid, block), Date.now())
    }
  }
}
