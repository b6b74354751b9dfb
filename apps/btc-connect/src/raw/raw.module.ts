import { Module } from '@nestjs/common'
import { NodeModule } from '../node/node.module.js'
import { ReadingModule } from '../reading/reading.module.js'
import { RawController } from './raw.controller.js'
import { RawRepository } from './raw.repository.js'
import { RawService } from './raw.service.js'

@Module({ imports: [NodeModule, ReadingModule], controllers: [RawController], providers: [RawService, RawRepository] })
export class RawModule {}
