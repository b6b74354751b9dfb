import { Module } from '@nestjs/common'
import { AttemptedName } from '@trestle/runtime/security-trail'
import { AttemptedNameService } from './attempted-name.service.js'
import { SecurityLogConsumer } from './security-log.consumer.js'
import { SecurityLogController } from './security-log.controller.js'
import { SecurityLogRepository } from './security-log.repository.js'
import { SecurityLogService } from './security-log.service.js'

@Module({
  controllers: [SecurityLogConsumer, SecurityLogController],
  providers: [
    AttemptedNameService,
    { provide: AttemptedName, useExisting: AttemptedNameService },
    SecurityLogRepository,
    SecurityLogService,
  ],
})
export class SecurityLogModule {}
