import { Module } from '@nestjs/common'
import { UpstreamMetricsService } from './upstream-metrics.service.js'
import { UpstreamPool } from './upstream-pool.engine.js'

/** Needs what HeadsModule provides globally. */
@Module({
  providers: [UpstreamMetricsService, UpstreamPool],
  exports: [UpstreamPool],
})
export class UpstreamsModule {}
