import { Module } from '@nestjs/common'
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js'
import { RevocationsConsumer } from './revocations.consumer.js'
import { RevocationsJob } from './revocations.job.js'
import { RevocationsRepository } from './revocations.repository.js'
import { RevocationsService } from './revocations.service.js'

@Module({
  imports: [SigningKeysModule],
  controllers: [RevocationsConsumer],
  providers: [RevocationsJob, RevocationsRepository, RevocationsService],
  exports: [RevocationsService],
})
export class RevocationsModule {}
