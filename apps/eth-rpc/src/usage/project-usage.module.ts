import { Module } from '@nestjs/common'
import { ProjectsModule } from '../projects/projects.module.js'
import { ProjectUsageController } from './project-usage.controller.js'
import { ProjectUsageService } from './project-usage.service.js'

@Module({ imports: [ProjectsModule], controllers: [ProjectUsageController], providers: [ProjectUsageService] })
export class ProjectUsageModule {}
