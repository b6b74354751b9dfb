import { Module } from '@nestjs/common'
import { PlansController } from './plans.controller.js'
import { PlansRepository } from './plans.repository.js'
import { Plans } from './plans.service.js'

/** How much everybody may have. */
@Module({ controllers: [PlansController], providers: [Plans, PlansRepository], exports: [Plans] })
export class PlansModule {}
