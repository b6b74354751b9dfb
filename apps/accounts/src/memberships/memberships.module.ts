import { Module } from '@nestjs/common'
import { MembershipsConsumer } from './memberships.consumer.js'
import { MembershipsJob } from './memberships.job.js'
import { MembershipsRepository } from './memberships.repository.js'
import { MembershipsService } from './memberships.service.js'

@Module({
  controllers: [MembershipsConsumer],
  providers: [MembershipsJob, MembershipsRepository, MembershipsService],
  exports: [MembershipsService],
})
export class MembershipsModule {}
