import { Module } from '@nestjs/common'
import { NodeModule } from '../node/node.module.js'
import { FeesController } from './fees.controller.js'
import { FeesService } from './fees.service.js'

@Module({ imports: [NodeModule], controllers: [FeesController], providers: [FeesService] })
export class FeesModule {}
