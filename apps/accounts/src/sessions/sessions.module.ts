import { Module } from '@nestjs/common'
import { RevocationsModule } from '../revocations/revocations.module.js'
import { IdleSessionsJob } from './idle-sessions.job.js'
import { IdleSessionsService } from './idle-sessions.service.js'
import { SessionsController } from './sessions.controller.js'
import { SessionsRepository } from './sessions.repository.js'
import { SessionsService } from './sessions.service.js'

@Module({
  imports: [RevocationsModule],
  controllers: [SessionsController],
  providers: [SessionsRepository, SessionsService, IdleSessionsService, IdleSessionsJob],
  exports: [SessionsService],
})
export class SessionsModule {}
