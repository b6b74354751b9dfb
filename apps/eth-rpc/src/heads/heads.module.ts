import cluster from 'node:cluster'
import { type DynamicModule, Module, type Provider } from '@nestjs/common'
import { RemoteHeadFeed } from '../cluster/remote-head-feed.service.js'
import { channelToPrimary } from '../cluster/worker.service.js'
import type { EthRpcEnv } from '../env.js'
import { UpstreamClientsModule } from '../upstreams/upstream-clients.module.js'
import { ChainView } from './chain-view.js'
import { HeadFeed } from './head-feed.js'
import { HeadMetrics } from './head-metrics.service.js'
import { HeadReadiness } from './head-readiness.service.js'
import { HeadTracker } from './head-tracker.service.js'

/** The chain we follow, for all features: in a worker as its primary tells it, else followed by this process. */
@Module({})
export class HeadsModule {
  static forRoot(env: Pick<EthRpcEnv, 'FINALITY_DEPTH'>): DynamicModule {
    return {
      module: HeadsModule,
      global: true,
      imports: [UpstreamClientsModule],
      providers: [...(cluster.isWorker ? told(env) : FOLLOWED), HeadReadiness],
      exports: [HeadFeed],
    }
  }
}

const FOLLOWED: Provider[] = [HeadMetrics, HeadTracker, { provide: HeadFeed, useExisting: HeadTracker }]

function told({ FINALITY_DEPTH }: Pick<EthRpcEnv, 'FINALITY_DEPTH'>): Provider[] {
  const useFactory = () => new RemoteHeadFeed(ChainView.forFinalityAt(FINALITY_DEPTH), channelToPrimary())
  return [{ provide: HeadFeed, useFactory }]
}
