import { Module } from '@nestjs/common'
import { PartitionsJob } from './partitions.job.js'
import { PartitionsRepository } from './partitions.repository.js'
import { PartitionsService } from './partitions.service.js'

@Module({ providers: [PartitionsJob, PartitionsRepository, PartitionsService] })
export class PartitionsModule {}
