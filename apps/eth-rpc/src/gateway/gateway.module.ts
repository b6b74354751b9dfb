import { Module } from '@nestjs/common'
import { FiltersModule } from '../filters/filters.module.js'
import { LimitsModule } from '../limits/limits.module.js'
import { ProjectsModule } from '../projects/projects.module.js'
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js'
import { UpstreamsModule } from '../upstreams/upstreams.module.js'
import { Admission } from './admission.service.js'
import { Answering } from './answering.service.js'
import { CallMetrics } from './call-metrics.service.js'
import { Exchanges } from './exchanges.service.js'
import { Gateway } from './gateway.service.js'
import { RpcDoor } from './rpc-door.controller.js'
import { ShortWay } from './short-way.service.js'
import { SocketDoor } from './socket-door.service.js'

/** Everything at `/v1/<project>`. */
@Module({
  imports: [FiltersModule, LimitsModule, ProjectsModule, SubscriptionsModule, UpstreamsModule],
  providers: [Admission, Answering, CallMetrics, Exchanges, Gateway, RpcDoor, ShortWay, SocketDoor],
})
export class GatewayModule {}
