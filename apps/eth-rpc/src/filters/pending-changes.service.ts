import { Injectable } from '@nestjs/common'
import { WholeTransactionsService } from '../transactions/whole-transactions.service.js'
import type { PendingRecord } from './filter-record.js'
import { PendingWindow } from './pending-window.engine.js'

/** Two processes' clocks differ a little, as do the times at which they receive a transaction. */
const SKEW_MS = 2000
const REMEMBERED = 2000
/** While some wait to be reported. */
const MAX_REMEMBERED = 20_000
/** Transactions that are fetched for one request. */
const MAX_WHOLE = 500

/** Which transactions have come since a filter was last asked. */
@Injectable()
export class PendingChangesService {
  constructor(
    private readonly window: PendingWindow,
    private readonly transactions: WholeTransactionsService,
  ) {}

  start(whole: boolean): PendingRecord {
    this.window.listen()
    return { kind: 'pending', since: Date.now(), told: [], ...(whole && { whole }) }
  }

  async since(record: PendingRecord): Promise<{ json: Buffer; next: PendingRecord }> {
    const { since, told, whole = false } = record
    const now = Date.now()
    const known = new Set(told)
    const all = this.window.since(since - SKEW_MS).filter((hash) => !known.has(shortened(hash)))
    const fresh = whole ? all.slice(0, MAX_WHOLE) : all
    const isAll = fresh.length === all.length
    const next = [...told, ...fresh.map(shortened)].slice(isAll ? -REMEMBERED : -MAX_REMEMBERED)
    const json = whole ? `[${(await this.transactions.list(fresh)).join()}]` : JSON.stringify(fresh)
    // The others are reported next time.
    return { json: Buffer.from(json), next: { ...record, since: isAll ? now : since, told: next } }
  }
}

function shortened(hash: string): string {
  return hash.slice(2, 18)
}
