import { Module } from '@nestjs/common'
import { ProbeClient } from '../software/probe.client.js'
import { DueWorkloadsService } from './due-workloads.service.js'
import { MachineChangesService } from './machine-changes.service.js'
import { MachineReconcilerService } from './machine-reconciler.service.js'
import { MachineStepsService } from './machine-steps.service.js'
import { OrphanAlarmsService } from './orphan-alarms.service.js'
import { OrphansRepository } from './orphans.repository.js'
import { OrphansService } from './orphans.service.js'
import { ReconcilerJob } from './reconciler.job.js'
import { ReconcilerRepository } from './reconciler.repository.js'
import { ReconcilerService } from './reconciler.service.js'
import { ReconcilerSignal } from './reconciler-signal.engine.js'
import { WorkloadReconcilerService } from './workload-reconciler.service.js'

/** Brings machines to their desired state. */
@Module({
  providers: [
    ...[
      MachineChangesService,
      DueWorkloadsService,
      WorkloadReconcilerService,
      MachineReconcilerService,
      MachineStepsService,
      ProbeClient,
      ReconcilerSignal,
    ],
    ...[OrphansService, OrphanAlarmsService, OrphansRepository],
    ...[ReconcilerService, ReconcilerJob, ReconcilerRepository],
  ],
})
export class ReconcilerModule {}
