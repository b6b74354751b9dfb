import { Module } from '@nestjs/common'
import { HeadFloorClient } from './head-floor.client.js'
import { HeadFloorJob } from './head-floor.job.js'

/** What is remembered of the head over restarts. Needs what HeadsModule provides globally. */
@Module({ providers: [HeadFloorClient, HeadFloorJob] })
export class HeadFloorModule {}
