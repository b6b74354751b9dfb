import { Module } from '@nestjs/common'
import { GossipJob } from './gossip.job.js'
import { LimitsService } from './limits.service.js'

@Module({ providers: [GossipJob, LimitsService], exports: [LimitsService] })
export class LimitsModule {}
