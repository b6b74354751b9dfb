import { Module } from '@nestjs/common'
import { ProjectsModule } from '../projects/projects.module.js'
import { KeyUsesJob } from './key-uses.job.js'
import { KeyUsesService } from './key-uses.service.js'
import { ProjectKeysController } from './project-keys.controller.js'
import { ProjectKeysRepository } from './project-keys.repository.js'
import { ProjectKeysService } from './project-keys.service.js'

/** Credentials of projects beside their ids. */
@Module({
  imports: [ProjectsModule],
  controllers: [ProjectKeysController],
  providers: [KeyUsesJob, KeyUsesService, ProjectKeysRepository, ProjectKeysService],
})
export class ProjectKeysModule {}
