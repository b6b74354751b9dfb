import { Module } from '@nestjs/common'
import { NodeModule } from '../node/node.module.js'
import { SendingController } from './sending.controller.js'
import { SendingService } from './sending.service.js'

@Module({ imports: [NodeModule], controllers: [SendingController], providers: [SendingService] })
export class SendingModule {}
