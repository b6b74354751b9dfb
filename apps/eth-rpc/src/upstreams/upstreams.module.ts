import { Module } from '@nestjs/common'
import { UpstreamClientsService } from './upstream-clients.service.js'
import { UpstreamMetricsService } from './upstream-metrics.service.js'
import { UpstreamPool } from './upstream-pool.engine.js'

/** Needs what HeadsModule provides globally. */
@Module({
  providers: [UpstreamMetricsService, UpstreamPool],
  exports: [UpstreamPool],
})
export class UpstreamsModule {
  constructor(clients: UpstreamClientsService, pool: UpstreamPool) {
    clients.onChange((all) => pool.take(all))
  }
}
