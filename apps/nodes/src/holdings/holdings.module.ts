import { Module } from '@nestjs/common'
import { CatalogueModule } from '../catalogue/catalogue.module.js'
import { PlansModule } from '../plans/plans.module.js'
import { ClusterChanges } from './cluster-changes.service.js'
import { ClustersController } from './clusters.controller.js'
import { ClustersService } from './clusters.service.js'
import { Creation } from './creation.service.js'
import { NodeCredentials } from './credentials.service.js'
import { HoldingsConsumer } from './holdings.consumer.js'
import { HoldingsRepository } from './holdings.repository.js'
import { Holdings } from './holdings.service.js'
import { Logs } from './logs.service.js'
import { Newcomers } from './newcomers.service.js'
import { NodesController } from './nodes.controller.js'
import { NodesService } from './nodes.service.js'
import { Views } from './views.service.js'

/** The nodes and clusters of callers. */
@Module({
  imports: [CatalogueModule, PlansModule],
  controllers: [NodesController, ClustersController, HoldingsConsumer],
  providers: [
    ClusterChanges,
    ClustersService,
    Creation,
    Holdings,
    HoldingsRepository,
    Logs,
    Newcomers,
    NodeCredentials,
    NodesService,
    Views,
  ],
})
export class HoldingsModule {}
