import { Module } from '@nestjs/common'
import { AddressesModule } from '../addresses/addresses.module.js'
import { HistoryModule } from '../history/history.module.js'
import { ReadingModule } from '../reading/reading.module.js'
import { WalletSearchService } from './wallet-search.service.js'
import { WalletsController } from './wallets.controller.js'
import { WalletsService } from './wallets.service.js'

@Module({
  imports: [AddressesModule, HistoryModule, ReadingModule],
  controllers: [WalletsController],
  providers: [WalletSearchService, WalletsService],
})
export class WalletsModule {}
