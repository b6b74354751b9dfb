import { Module } from '@nestjs/common'
import { AvailabilityService } from './availability.service.js'
import { CatalogueController } from './catalogue.controller.js'
import { CatalogueRepository } from './catalogue.repository.js'
import { CatalogueEntriesService } from './catalogue-entries.service.js'

/** What nodes and clusters can be made of. */
@Module({
  controllers: [CatalogueController],
  providers: [AvailabilityService, CatalogueEntriesService, CatalogueRepository],
  exports: [CatalogueEntriesService],
})
export class CatalogueModule {}
