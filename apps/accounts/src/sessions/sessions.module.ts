import { Module } from '@nestjs/common'
import { RevocationsModule } from '../revocations/revocations.module.js'
import { SessionsController } from './sessions.controller.js'
import { SessionsRepository } from './sessions.repository.js'
import { SessionsService } from './sessions.service.js'

@Module({
  imports: [RevocationsModule],
  controllers: [SessionsController],
  providers: [SessionsRepository, SessionsService],
  exports: [SessionsService],
})
export class SessionsModule {}
