import { Module } from '@nestjs/common'
import { Availability } from './availability.service.js'
import { CatalogueController } from './catalogue.controller.js'
import { CatalogueRepository } from './catalogue.repository.js'
import { CatalogueOffers } from './catalogue.service.js'

/** What nodes and clusters can be made of. */
@Module({ controllers: [CatalogueController], providers: [Availability, CatalogueOffers, CatalogueRepository], exports: [CatalogueOffers] })
export class CatalogueModule {}
