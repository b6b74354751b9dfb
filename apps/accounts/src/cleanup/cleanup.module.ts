import { Module } from '@nestjs/common'
import { CleanupService } from './cleanup.service.js'
import { CleanupRepository } from './cleanup.repository.js'

@Module({ providers: [CleanupService, CleanupRepository] })
export class CleanupModule {}
