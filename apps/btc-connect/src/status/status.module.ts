import { Module } from '@nestjs/common'
import { NodeModule } from '../node/node.module.js'
import { StatusController } from './status.controller.js'
import { StatusRepository } from './status.repository.js'
import { StatusService } from './status.service.js'

@Module({ imports: [NodeModule], controllers: [StatusController], providers: [StatusService, StatusRepository] })
export class StatusModule {}
