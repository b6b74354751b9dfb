import { Module } from '@nestjs/common'
import { HistoryModule } from '../history/history.module.js'
import { ReadingModule } from '../reading/reading.module.js'
import { TransactionsModule } from '../transactions/transactions.module.js'
import { AddressTransactionsController } from './address-transactions.controller.js'
import { AddressTransactionsService } from './address-transactions.service.js'
import { AddressesController } from './addresses.controller.js'
import { AddressesService } from './addresses.service.js'
import { OutputsController } from './outputs.controller.js'
import { OutputsRepository } from './outputs.repository.js'
import { OutputsService } from './outputs.service.js'
import { TotalsRepository } from './totals.repository.js'

@Module({
  imports: [HistoryModule, ReadingModule, TransactionsModule],
  controllers: [AddressesController, OutputsController, AddressTransactionsController],
  providers: [AddressesService, AddressTransactionsService, TotalsRepository, OutputsRepository, OutputsService],
  exports: [AddressesService, AddressTransactionsService, OutputsService],
})
export class AddressesModule {}
