import { Module } from '@nestjs/common'
import { CleanupRepository } from './cleanup.repository.js'
import { CleanupService } from './cleanup.service.js'

@Module({ providers: [CleanupService, CleanupRepository] })
export class CleanupModule {}
