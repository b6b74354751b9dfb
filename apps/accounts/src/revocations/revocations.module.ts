import { Module } from '@nestjs/common'
import { RevocationsConsumer } from './revocations.consumer.js'
import { RevocationsJob } from './revocations.job.js'
import { RevocationsRepository } from './revocations.repository.js'
import { RevocationsService } from './revocations.service.js'

@Module({
  controllers: [RevocationsConsumer],
  providers: [RevocationsJob, RevocationsRepository, RevocationsService],
  exports: [RevocationsService],
})
export class RevocationsModule {}
