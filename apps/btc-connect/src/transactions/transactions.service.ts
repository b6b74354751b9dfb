import { Inject, Injectable } from '@nestjs/common'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import type { transactions } from '@trestle/contracts/btc-connect/transactions'
import type { Reply, WritableReply } from '@trestle/contracts/endpoint'
import { Problem } from '@trestle/problem/problem'
import { parseNamedAddress } from '../addresses/address.js'
import type { ReadResult } from '../edge/read-result.js'
import type { HistoryPage } from '../history/history.js'
import { HistoryService } from '../history/history.service.js'
import { parseHash, parseTxid } from '../reading/hash.js'
import { notFound } from '../reading/refusals.js'
import { RULES } from '../settings.module.js'
import { pageRange, pagesOf } from './page.js'
import { toTransaction } from './transaction.js'
import { type Reading, TransactionReaderService } from './transaction-reader.service.js'
import { TransactionsRepository } from './transactions.repository.js'

type Transaction = WritableReply<Reply<typeof transactions.one>>
type TransactionList = WritableReply<Reply<typeof transactions.list>>

interface Asked {
  readonly block?: string
  readonly address?: string
  readonly pageNum?: number
}

@Injectable()
export class TransactionsService {
  constructor(
    private readonly reader: TransactionReaderService,
    private readonly transactions: TransactionsRepository,
    private readonly history: HistoryService,
    @Inject(RULES) private readonly rules: ChainRules,
  ) {}

  one(text: string): Promise<ReadResult<Transaction>> {
    const txid = parseTxid(text)
    return this.reader.read(async (reading) => {
      const entry = await this.transactions.find(reading.client, txid)
      const [body] = entry ? await this.load(reading, [entry]) : []
      if (!body) throw notFound()
      return { body, height: reading.tip.height }
    })
  }

  /** A block takes precedence over an address. */
  list({ block, address, pageNum = 0 }: Asked): Promise<ReadResult<TransactionList>> {
    if (block) return this.ofBlock(block, pageNum)
    if (address) return this.ofAddress(address, pageNum)
    throw new Problem('invalid', 'MissingParameter', 'Block hash or address expected')
  }

  private ofBlock(text: string, pageNum: number): Promise<ReadResult<TransactionList>> {
    const hash = parseHash(text)
    if (!hash) throw notFound()
    return this.reader.read(async (reading) => {
      const block = await this.transactions.findBlock(reading.client, hash)
      if (!block) throw notFound()
      const { firstTxId, txCount } = block
      const { from, to } = pageRange(pageNum, txCount)
      const entries = from < to ? await this.transactions.listRange(reading.client, firstTxId + from, firstTxId + to) : []
      return this.page(reading, { total: txCount, entries })
    })
  }

  private ofAddress(address: string, pageNum: number): Promise<ReadResult<TransactionList>> {
    const { script } = parseNamedAddress(address, this.rules)
    return this.reader.read(async (reading) =>
      this.page(reading, await this.history.page(reading, reading.keyOf(script), pageRange(pageNum))),
    )
  }

  private async page(reading: Reading, { total, entries }: HistoryPage): Promise<ReadResult<TransactionList>> {
    const txs = await this.load(reading, entries)
    return { body: { pagesTotal: pagesOf(total), txs }, height: reading.tip.height }
  }

  private async load(reading: Reading, entries: HistoryPage['entries']): Promise<Transaction[]> {
    const context = { tipHeight: reading.tip.height, rules: this.rules }
    return (await reading.load(entries)).map((known) => toTransaction(known, context))
  }
}
