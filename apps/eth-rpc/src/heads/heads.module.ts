import cluster from 'node:cluster'
import { type DynamicModule, Module, type Provider } from '@nestjs/common'
import { RemoteHeadFeed } from '../cluster/remote-head-feed.engine.js'
import { channelToPrimary } from '../cluster/worker.engine.js'
import type { EthRpcEnv } from '../env.js'
import { UpstreamClientsService } from '../upstreams/upstream-clients.service.js'
import { FollowedChain } from './followed-chain.js'
import { HeadFeed } from './head-feed.js'
import { HeadMetricsService } from './head-metrics.service.js'
import { HeadReadinessService } from './head-readiness.service.js'
import { HeadTracker } from './head-tracker.engine.js'

/** The chain we follow and the clients of the upstreams, for all features: in a worker as the primary process reports it, else followed by this process. */
@Module({})
export class HeadsModule {
  static forRoot(env: Pick<EthRpcEnv, 'FINALITY_DEPTH'>): DynamicModule {
    return {
      module: HeadsModule,
      global: true,
      providers: [...(cluster.isWorker ? reported(env) : FOLLOWED), HeadReadinessService, UpstreamClientsService],
      exports: [HeadFeed, UpstreamClientsService],
    }
  }
}

const FOLLOWED: Provider[] = [HeadMetricsService, HeadTracker, { provide: HeadFeed, useExisting: HeadTracker }]

function reported({ FINALITY_DEPTH }: Pick<EthRpcEnv, 'FINALITY_DEPTH'>): Provider[] {
  const useFactory = () => new RemoteHeadFeed(FollowedChain.forFinalityAt(FINALITY_DEPTH), channelToPrimary())
  return [{ provide: HeadFeed, useFactory }]
}
