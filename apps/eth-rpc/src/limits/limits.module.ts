import { Module } from '@nestjs/common'
import { GossipJob } from './gossip.job.js'
import { Limits } from './limits.service.js'

@Module({ providers: [GossipJob, Limits], exports: [Limits] })
export class LimitsModule {}
