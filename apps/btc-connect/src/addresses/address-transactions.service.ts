import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { addresses } from '@trestle/contracts/btc-connect/addresses'
import type { Reply, WritableReply } from '@trestle/contracts/endpoint'
import type { ReadResult } from '../edge/read-result.js'
import type { HistoryPage, HistoryRange } from '../history/history.js'
import { HistoryService } from '../history/history.service.js'
import type { Snapshot } from '../reading/snapshots.service.js'
import { RULES } from '../settings.module.js'
import { type TransactionOptions, toSummary, toTransaction } from '../transactions/transaction.js'
import { TransactionReaderService } from '../transactions/transaction-reader.service.js'
import { type AddressList, type NamedScript, parseAddresses } from './address.js'
import { transactionRange } from './range.js'

interface Asked extends TransactionOptions {
  readonly from?: number
  readonly to?: number
}

type TransactionPage = WritableReply<Reply<typeof addresses.transactionsOfSeveral>>
type Summaries = WritableReply<Reply<typeof addresses.transactionsOfListed>>

/** The merged transactions of some addresses, newest first. */
@Injectable()
export class AddressTransactionsService {
  constructor(
    private readonly reader: TransactionReaderService,
    private readonly history: HistoryService,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  page(addresses: AddressList, asked: Asked): Promise<ReadResult<TransactionPage>> {
    return this.pageOf(parseAddresses(addresses, this.rules), asked)
  }

  /** Of scripts that are all different. */
  pageOf(named: readonly NamedScript[], asked: Asked): Promise<ReadResult<TransactionPage>> {
    const range = transactionRange(asked, named.length)
    return this.reader.read(async (reading) => {
      const { total, entries } = await this.find(reading, named, range)
      const found = await reading.load(entries, { spends: !asked.noSpent })
      const context = { tipHeight: reading.tip.height, rules: this.rules, options: asked }
      const items = found.map((known) => toTransaction(known, context))
      return { body: { totalItems: total, from: range.from, to: Math.min(range.to, total), items }, height: reading.tip.height, total }
    })
  }

  summaries(addresses: AddressList, asked: Asked): Promise<ReadResult<Summaries>> {
    const named = parseAddresses(addresses, this.rules)
    const range = transactionRange(asked, named.length)
    return this.reader.read(async (reading) => {
      const { total, entries } = await this.find(reading, named, range)
      const found = await reading.load(entries, { spends: false })
      const { height } = reading.tip
      return { body: found.map((known) => toSummary(known, height)), height, total }
    })
  }

  private find(snapshot: Snapshot, named: readonly NamedScript[], range: HistoryRange): Promise<HistoryPage> {
    const [key = '', ...others] = named.map(({ script }) => snapshot.keyOf(script))
    return others.length === 0 ? this.history.page(snapshot, key, range) : this.history.mergedPage(snapshot, [key, ...others], range)
  }
}
