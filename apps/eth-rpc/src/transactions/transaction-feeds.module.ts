import { Module } from '@nestjs/common'
import { UpstreamsModule } from '../upstreams/upstreams.module.js'
import { ReceiptFeed } from './receipt-feed.engine.js'
import { WholeTransactionsService } from './whole-transactions.service.js'

/** Transactions that wait, and receipts of those that no longer do. */
@Module({
  imports: [UpstreamsModule],
  providers: [ReceiptFeed, WholeTransactionsService],
  exports: [ReceiptFeed, WholeTransactionsService],
})
export class TransactionFeedsModule {}
