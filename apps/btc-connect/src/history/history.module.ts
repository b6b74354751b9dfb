import { Module } from '@nestjs/common'
import { HistoryRepository } from './history.repository.js'
import { HistoryService } from './history.service.js'

@Module({ providers: [HistoryRepository, HistoryService], exports: [HistoryService] })
export class HistoryModule {}
