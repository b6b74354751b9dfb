import { Module } from '@nestjs/common'
import { UpstreamClientsModule } from './upstream-clients.module.js'
import { UpstreamMetricsService } from './upstream-metrics.service.js'
import { UpstreamPool } from './upstream-pool.engine.js'

/** Needs a HeadFeed, which HeadsModule provides globally. */
@Module({
  imports: [UpstreamClientsModule],
  providers: [UpstreamMetricsService, UpstreamPool],
  exports: [UpstreamPool],
})
export class UpstreamsModule {}
