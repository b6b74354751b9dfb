import { Module } from '@nestjs/common'
import { CatalogueModule } from '../catalogue/catalogue.module.js'
import { PlansModule } from '../plans/plans.module.js'
import { ClusterChangesService } from './cluster-changes.service.js'
import { ClustersController } from './clusters.controller.js'
import { ClustersService } from './clusters.service.js'
import { DeletedOwnersRepository } from './deleted-owners.repository.js'
import { DeletedOwnersService } from './deleted-owners.service.js'
import { LogsService } from './logs.service.js'
import { NodesController } from './nodes.controller.js'
import { NodesService } from './nodes.service.js'
import { TransfersController } from './transfers.controller.js'
import { WorkloadAccessService } from './workload-access.service.js'
import { WorkloadCreationService } from './workload-creation.service.js'
import { WorkloadOwnersService } from './workload-owners.service.js'
import { WorkloadsConsumer } from './workloads.consumer.js'
import { WorkloadsRepository } from './workloads.repository.js'

/** The nodes and clusters of callers. */
@Module({
  imports: [CatalogueModule, PlansModule],
  controllers: [NodesController, ClustersController, WorkloadsConsumer, TransfersController],
  providers: [
    ...[ClusterChangesService, ClustersService, NodesService, WorkloadAccessService, WorkloadCreationService],
    ...[DeletedOwnersRepository, DeletedOwnersService, WorkloadOwnersService, LogsService, WorkloadsRepository],
  ],
})
export class WorkloadsModule {}
