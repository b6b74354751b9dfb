import { Module } from '@nestjs/common'
import { UpstreamsModule } from '../upstreams/upstreams.module.js'
import { FilterChangesService } from './filter-changes.service.js'
import { FilterStoreClient } from './filter-store.client.js'
import { FiltersService } from './filters.service.js'
import { PendingWindow } from './pending-window.engine.js'

/** `eth_newFilter` and its like. */
@Module({
  imports: [UpstreamsModule],
  providers: [FilterStoreClient, PendingWindow, FilterChangesService, FiltersService],
  exports: [FiltersService],
})
export class FiltersModule {}
