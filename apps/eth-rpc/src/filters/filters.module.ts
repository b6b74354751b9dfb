import { Module } from '@nestjs/common'
import { TransactionFeedsModule } from '../transactions/transaction-feeds.module.js'
import { UpstreamsModule } from '../upstreams/upstreams.module.js'
import { FilterChangesService } from './filter-changes.service.js'
import { FilterStoreClient } from './filter-store.client.js'
import { FiltersService } from './filters.service.js'
import { PendingChangesService } from './pending-changes.service.js'
import { PendingWindow } from './pending-window.engine.js'

/** `eth_newFilter` and its like. */
@Module({
  imports: [TransactionFeedsModule, UpstreamsModule],
  providers: [FilterStoreClient, PendingChangesService, PendingWindow, FilterChangesService, FiltersService],
  exports: [FiltersService],
})
export class FiltersModule {}
