import { Module } from '@nestjs/common'
import { ProjectsModule } from '../projects/projects.module.js'
import { UsageController } from './usage.controller.js'
import { UsageReportsService } from './usage-reports.service.js'

@Module({ imports: [ProjectsModule], controllers: [UsageController], providers: [UsageReportsService] })
export class UsageReportsModule {}
