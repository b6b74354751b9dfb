import { Injectable } from '@nestjs/common'
import type { Wallet, WalletOutput } from '@trestle/contracts/btc-connect/wallets'
import type { WritableReply } from '@trestle/contracts/endpoint'
import { AddressTransactionsService } from '../addresses/address-transactions.service.js'
import { OutputsService } from '../addresses/outputs.service.js'
import type { ReadResult } from '../edge/read-result.js'
import { HistoryService } from '../history/history.service.js'
import { type FoundScript, isUsed, toWallet } from './wallet.js'
import { type WalletQuery, WalletSearchService } from './wallet-search.service.js'

interface PagedQuery extends WalletQuery {
  readonly from?: number
  readonly to?: number
}

@Injectable()
export class WalletsService {
  constructor(
    private readonly search: WalletSearchService,
    private readonly history: HistoryService,
    private readonly outputs: OutputsService,
    private readonly transactions: AddressTransactionsService,
  ) {}

  summary(query: PagedQuery): Promise<ReadResult<WritableReply<Wallet>>> {
    return this.search.read(query, async ({ snapshot, text, scripts }) => {
      const used = scripts.filter(isUsed).map(({ script }) => snapshot.keyOf(script))
      const transactions = await this.history.count(snapshot, used)
      return { body: toWallet({ descriptor: text, scripts, transactions }, query), height: snapshot.tip.height }
    })
  }

  async listOutputs(query: WalletQuery): Promise<ReadResult<WritableReply<WalletOutput[]>>> {
    const scripts = await this.scripts(query)
    const places = new Map(scripts.map(({ address, branch, index }) => [address, { branch, index }]))
    const { body, ...rest } = await this.outputs.listOf(scripts, {})
    return { ...rest, body: body.map((output) => ({ ...output, ...(places.get(output.address) ?? { branch: 0, index: 0 }) })) }
  }

  async listTransactions({ from, to, ...query }: PagedQuery): ReturnType<AddressTransactionsService['pageOf']> {
    return this.transactions.pageOf(await this.scripts(query), { from, to })
  }

  /** Those of the gap too: one may be used by the time that they are read. */
  private scripts(query: WalletQuery): Promise<readonly FoundScript[]> {
    return this.search.read(query, async ({ scripts }) => scripts)
  }
}
