import { Injectable } from '@nestjs/common'
import type { Entry } from '../history/history.js'
import { type Snapshot, Snapshots } from '../reading/snapshots.service.js'
import { NodeTransactions } from './node-transactions.client.js'
import { RawMissing } from './raw-missing.js'
import type { KnownTransaction } from './transaction.js'
import { TransactionLoader } from './transaction-loader.service.js'

/** A snapshot, out of which transactions can be read whole. */
export interface Reading extends Snapshot {
  load(entries: readonly Entry[], options?: { spends: boolean }): Promise<KnownTransaction[]>
}

// The second has all bytes unless the chain moved in between.
const ATTEMPTS = 3

/**
 * Reads transactions in one snapshot. Bytes that only the node has are asked for between two snapshots, never within one: a slow
 * node shall keep nobody's connection. They belong to their txid whatever the chain does meanwhile.
 */
@Injectable()
export class TransactionReader {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly loader: TransactionLoader,
    private readonly node: NodeTransactions,
  ) {}

  async read<T>(work: (reading: Reading) => Promise<T>): Promise<T> {
    const given = new Map<string, Buffer>()
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.snapshots.read((snapshot) => work(this.reading(snapshot, given)))
      } catch (error) {
        if (!(error instanceof RawMissing) || attempt === ATTEMPTS) throw error
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
