import { Module } from '@nestjs/common'
import { ProbeClient } from '../software/probe.client.js'
import { Changes } from './changes.service.js'
import { DueWorkloads } from './due-workloads.service.js'
import { MachineLooker } from './machine-looker.service.js'
import { MachineSteps } from './machine-steps.service.js'
import { OrphanAlarms } from './orphan-alarms.service.js'
import { OrphansRepository } from './orphans.repository.js'
import { Orphans } from './orphans.service.js'
import { ReconcilerJob } from './reconciler.job.js'
import { ReconcilerRepository } from './reconciler.repository.js'
import { Reconciler } from './reconciler.service.js'
import { WakeUps } from './wake-ups.service.js'
import { WorkloadLooker } from './workload-looker.service.js'

/** Sees to it that what is wanted is so. */
@Module({
  providers: [
    ...[Changes, DueWorkloads, WorkloadLooker, MachineLooker, MachineSteps, ProbeClient, WakeUps],
    ...[Orphans, OrphanAlarms, OrphansRepository],
    ...[Reconciler, ReconcilerJob, ReconcilerRepository],
  ],
})
export class ReconcilerModule {}
