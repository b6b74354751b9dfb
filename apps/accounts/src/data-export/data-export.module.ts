import { Module } from '@nestjs/common'
import { ThrottlingModule } from '../throttling/throttling.module.js'
import { UsersModule } from '../users/users.module.js'
import { DataExportController } from './data-export.controller.js'
import { DataExportRepository } from './data-export.repository.js'
import { DataExportService } from './data-export.service.js'

/** Reads and hands out; changes nothing. */
@Module({
  imports: [ThrottlingModule, UsersModule],
  controllers: [DataExportController],
  providers: [DataExportRepository, DataExportService],
})
export class DataExportModule {}
