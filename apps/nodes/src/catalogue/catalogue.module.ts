import { Module } from '@nestjs/common'
import { AvailabilityService } from './availability.service.js'
import { CatalogueController } from './catalogue.controller.js'
import { CatalogueRepository } from './catalogue.repository.js'
import { CatalogueEntriesService } from './catalogue-entries.service.js'

/** The kinds of node that can be created. */
@Module({
  controllers: [CatalogueController],
  providers: [AvailabilityService, CatalogueEntriesService, CatalogueRepository],
  exports: [CatalogueEntriesService],
})
export class CatalogueModule {}
