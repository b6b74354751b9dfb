import { Module } from '@nestjs/common'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { RequestEngine, requestEngineOf } from '@trestle/gateway/request.engine'
import { HttpAdapter } from '@trestle/runtime/http-adapter'
import { AnswerStoreModule } from '../answer-store/answer-store.module.js'
import { KeptAnswers } from '../cache/kept-answers.engine.js'
import { FailuresModule } from '../failures/failures.module.js'
import { FiltersModule } from '../filters/filters.module.js'
import { ProjectsModule } from '../projects/projects.module.js'
import { SubscriptionRegistry } from '../subscriptions/subscription-registry.engine.js'
import { TransactionFeedsModule } from '../transactions/transaction-feeds.module.js'
import { UpstreamsModule } from '../upstreams/upstreams.module.js'
import { AnswersService } from './answers.service.js'
import { CallExecutionService } from './call-execution.service.js'
import { CallMetrics } from './call-metrics.engine.js'
import { CallRecordsService } from './call-records.service.js'
import { RpcService } from './rpc.service.js'
import { RpcRouteController } from './rpc-route.controller.js'
import { WebSocketEndpoint } from './web-socket-endpoint.engine.js'

/** Everything at `/v1/<project>`. */
@Module({
  imports: [AnswerStoreModule, FailuresModule, FiltersModule, ProjectsModule, TransactionFeedsModule, UpstreamsModule],
  providers: [
    ...requestEngineOf(RpcService),
    AnswersService,
    CallMetrics,
    CallRecordsService,
    CallExecutionService,
    KeptAnswers,
    RpcRouteController,
    SubscriptionRegistry,
    WebSocketEndpoint,
  ],
})
export class RpcModule {}

/** Opens it. */
export function openRpc(app: NestFastifyApplication): void {
  const adapter = HttpAdapter.of(app)
  app.get(RpcRouteController).register(adapter.getInstance())
  app.get(CallMetrics).watchSockets(app.get(WebSocketEndpoint).openSockets)
  app.get(RequestEngine).openFastPath(adapter)
}
