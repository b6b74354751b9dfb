import { Module } from '@nestjs/common'
import { Broadcast } from './broadcast.service.js'
import { Calls } from './calls.service.js'
import { Fleet } from './fleet.service.js'
import { LogsService } from './logs.service.js'
import { UpstreamClientsModule } from './upstream-clients.module.js'
import { UpstreamMetrics } from './upstream-metrics.service.js'
import { Upstreams } from './upstreams.service.js'

/** Whatever provides the HeadFeed is imported beside it. */
@Module({
  imports: [UpstreamClientsModule],
  providers: [UpstreamMetrics, Fleet, Calls, Broadcast, LogsService, Upstreams],
  exports: [Upstreams],
})
export class UpstreamsModule {}
