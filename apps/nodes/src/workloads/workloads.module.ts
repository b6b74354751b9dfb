import { Module } from '@nestjs/common'
import { CatalogueModule } from '../catalogue/catalogue.module.js'
import { PlansModule } from '../plans/plans.module.js'
import { ClusterChanges } from './cluster-changes.service.js'
import { ClustersController } from './clusters.controller.js'
import { ClustersService } from './clusters.service.js'
import { Creation } from './creation.service.js'
import { NodeCredentials } from './credentials.service.js'
import { Logs } from './logs.service.js'
import { Newcomers } from './newcomers.service.js'
import { NodesController } from './nodes.controller.js'
import { NodesService } from './nodes.service.js'
import { Views } from './views.service.js'
import { WorkloadsConsumer } from './workloads.consumer.js'
import { WorkloadsRepository } from './workloads.repository.js'
import { Workloads } from './workloads.service.js'

/** The nodes and clusters of callers. */
@Module({
  imports: [CatalogueModule, PlansModule],
  controllers: [NodesController, ClustersController, WorkloadsConsumer],
  providers: [
    ClusterChanges,
    ClustersService,
    Creation,
    Workloads,
    WorkloadsRepository,
    Logs,
    Newcomers,
    NodeCredentials,
    NodesService,
    Views,
  ],
})
export class WorkloadsModule {}
