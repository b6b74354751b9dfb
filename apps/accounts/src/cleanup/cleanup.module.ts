import { Module } from '@nestjs/common'
import { CleanupJob } from './cleanup.job.js'
import { CleanupRepository } from './cleanup.repository.js'

@Module({ providers: [CleanupJob, CleanupRepository] })
export class CleanupModule {}
