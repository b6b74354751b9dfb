import { Module } from '@nestjs/common'
import { LimitsModule } from '../limits/limits.module.js'
import { LiveProjectsJob } from './live-projects.job.js'
import { LiveProjectsRepository } from './live-projects.repository.js'
import { LiveProjects } from './live-projects.service.js'
import { ProjectReader } from './project-reader.service.js'
import { ProjectTransactions } from './project-transactions.service.js'
import { ProjectsController } from './projects.controller.js'
import { ProjectsRepository } from './projects.repository.js'
import { ProjectsService } from './projects.service.js'

@Module({
  imports: [LimitsModule],
  controllers: [ProjectsController],
  providers: [
    LiveProjects,
    LiveProjectsJob,
    LiveProjectsRepository,
    ProjectReader,
    ProjectsRepository,
    ProjectsService,
    ProjectTransactions,
  ],
  exports: [LiveProjects, ProjectsService],
})
export class ProjectsModule {}
