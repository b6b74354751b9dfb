import { Module } from '@nestjs/common'
import { IndexGauges } from './index-gauges.service.js'
import { StatusRepository } from './status.repository.js'

@Module({ providers: [IndexGauges, StatusRepository] })
export class GaugesModule {}
