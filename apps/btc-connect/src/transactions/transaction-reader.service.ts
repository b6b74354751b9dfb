import { Injectable } from '@nestjs/common'
import type { HistoryEntry } from '../history/history.js'
import { type Snapshot, SnapshotsService } from '../reading/snapshots.service.js'
import { NodeTransactionsClient } from './node-transactions.client.js'
import { RawTransactionsMissing } from './raw-missing.js'
import type { KnownTransaction } from './transaction.js'
import { TransactionLoaderService } from './transaction-loader.service.js'

/** A snapshot that can load whole transactions. */
export interface Reading extends Snapshot {
  load(entries: readonly HistoryEntry[], options?: { spends: boolean }): Promise<KnownTransaction[]>
}

// The second attempt has all bytes unless the chain has changed in between.
const ATTEMPTS = 3

/**
 * Reads transactions in one snapshot. Bytes that only the node has are fetched between two snapshots, never within one, so that a
 * slow node does not occupy connections to Postgres. They are identified by their txid, whatever the chain does in between.
 */
@Injectable()
export class TransactionReaderService {
  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly loader: TransactionLoaderService,
    private readonly node: NodeTransactionsClient,
  ) {}

  async read<T>(work: (reading: Reading) => Promise<T>): Promise<T> {
    const given = new Map<string, Buffer>()
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.snapshots.read((snapshot) => work(this.reading(snapshot, given)))
      } catch (error) {
        if (!(error instanceof RawTransactionsMissing) || attempt === ATTEMPTS) throw error
        for (const [txid, raw] of await this.node.find(error.wanted)) given.set(txid, raw)
      }
    }
  }

  private reading(snapshot: Snapshot, given: ReadonlyMap<string, Buffer>): Reading {
    return {
      ...snapshot,
      load: (entries, { spends } = { spends: true }) => this.loader.load(snapshot.client, entries, { spends, given }),
    }
  }
}
