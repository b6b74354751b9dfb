import { Module } from '@nestjs/common'
import { ProjectsModule } from '../projects/projects.module.js'
import { UsageController } from './usage.controller.js'
import { UsageModule } from './usage.module.js'
import { UsageReports } from './usage-reports.service.js'
import { UsageRetentionJob } from './usage-retention.job.js'

/** Tells owners what their projects have used. */
@Module({
  imports: [ProjectsModule, UsageModule],
  controllers: [UsageController],
  providers: [UsageReports, UsageRetentionJob],
})
export class UsageReportsModule {}
