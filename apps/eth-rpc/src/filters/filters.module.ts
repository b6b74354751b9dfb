import { Module } from '@nestjs/common'
import { UpstreamsModule } from '../upstreams/upstreams.module.js'
import { FilterChanges } from './filter-changes.service.js'
import { FilterStore } from './filter-store.client.js'
import { Filters } from './filters.service.js'
import { PendingWindow } from './pending-window.service.js'

/** `eth_newFilter` and its like. */
@Module({ imports: [UpstreamsModule], providers: [FilterStore, PendingWindow, FilterChanges, Filters], exports: [Filters] })
export class FiltersModule {}
