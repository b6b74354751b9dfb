import { Module } from '@nestjs/common'
import { LimitsModule } from '../limits/limits.module.js'
import { LiveProjects } from './live-projects.engine.js'
import { LiveProjectsJob } from './live-projects.job.js'
import { ProjectTransactionsService } from './project-transactions.service.js'
import { ProjectsController } from './projects.controller.js'
import { ProjectsRepository } from './projects.repository.js'
import { ProjectsService } from './projects.service.js'

@Module({
  imports: [LimitsModule],
  controllers: [ProjectsController],
  providers: [LiveProjects, LiveProjectsJob, ProjectsRepository, ProjectsService, ProjectTransactionsService],
  exports: [LiveProjects, ProjectsService],
})
export class ProjectsModule {}
