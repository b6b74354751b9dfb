import { Module } from '@nestjs/common'
import { PlansController } from './plans.controller.js'
import { PlansRepository } from './plans.repository.js'
import { PlansService } from './plans.service.js'

/** How many nodes and clusters each user may have. */
@Module({ controllers: [PlansController], providers: [PlansService, PlansRepository], exports: [PlansService] })
export class PlansModule {}
