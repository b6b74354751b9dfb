import { Module } from '@nestjs/common'
import { HistoryModule } from '../history/history.module.js'
import { NodeModule } from '../node/node.module.js'
import { ReadingModule } from '../reading/reading.module.js'
import { NodeTransactionsClient } from './node-transactions.client.js'
import { TransactionLoaderService } from './transaction-loader.service.js'
import { TransactionReaderService } from './transaction-reader.service.js'
import { TransactionsController } from './transactions.controller.js'
import { TransactionsRepository } from './transactions.repository.js'
import { TransactionsService } from './transactions.service.js'

@Module({
  imports: [HistoryModule, NodeModule, ReadingModule],
  controllers: [TransactionsController],
  providers: [NodeTransactionsClient, TransactionLoaderService, TransactionReaderService, TransactionsRepository, TransactionsService],
  exports: [TransactionReaderService],
})
export class TransactionsModule {}
