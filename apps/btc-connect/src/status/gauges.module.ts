import { Module } from '@nestjs/common'
import { IndexGaugesService } from './index-gauges.service.js'
import { StatusRepository } from './status.repository.js'

@Module({ providers: [IndexGaugesService, StatusRepository] })
export class GaugesModule {}
