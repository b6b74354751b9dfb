import { Module } from '@nestjs/common'
import { ProjectsModule } from '../projects/projects.module.js'
import { FailureLog } from './failure-log.engine.js'
import { FailureWriter } from './failure-writer.engine.js'
import { FailuresController } from './failures.controller.js'
import { FailuresJob } from './failures.job.js'
import { FailuresRepository } from './failures.repository.js'
import { FailuresService } from './failures.service.js'

/** Why calls failed: noted, written, and shown to whoever may read the project. */
@Module({
  imports: [ProjectsModule],
  controllers: [FailuresController],
  providers: [FailureLog, FailureWriter, FailuresJob, FailuresRepository, FailuresService],
  exports: [FailureLog],
})
export class FailuresModule {}
