import { Module } from '@nestjs/common'
import { ReadingModule } from '../reading/reading.module.js'
import { MempoolSizeController } from './mempool-size.controller.js'
import { MempoolSizeRepository } from './mempool-size.repository.js'
import { MempoolSizeService } from './mempool-size.service.js'

/** Serves the size of the mempool. */
@Module({ imports: [ReadingModule], controllers: [MempoolSizeController], providers: [MempoolSizeRepository, MempoolSizeService] })
export class MempoolSizeModule {}
