import cluster from 'node:cluster'
import { type DynamicModule, Module, type Provider } from '@nestjs/common'
import { RemoteHeadFeed } from '../cluster/remote-head-feed.engine.js'
import { channelToPrimary } from '../cluster/worker.engine.js'
import type { EthRpcEnv } from '../env.js'
import { BudgetWatchJob } from '../upstreams/budgets/budget-watch.job.js'
import { UpstreamClientsService } from '../upstreams/upstream-clients.service.js'
import { UpstreamsFileReportService } from '../upstreams/upstreams-file-report.service.js'
import { UpstreamsReloadJob } from '../upstreams/upstreams-reload.job.js'
import { FollowedChain } from './followed-chain.js'
import { HeadFeed } from './head-feed.js'
import { HeadMetricsService } from './head-metrics.service.js'
import { HeadReadinessService } from './head-readiness.service.js'
import { HeadTracker } from './head-tracker.engine.js'

/** The chain we follow and the clients of the upstreams, for all features: in a worker as the primary process reports it, else followed by this process. */
@Module({})
export class HeadsModule {
  static forRoot(env: HeadsEnv): DynamicModule {
    return {
      module: HeadsModule,
      global: true,
      providers: [...(cluster.isWorker ? reported(env) : FOLLOWED), HeadReadinessService, UpstreamClientsService],
      exports: [HeadFeed, UpstreamClientsService],
    }
  }
}

type HeadsEnv = Pick<EthRpcEnv, 'RULES' | 'UPSTREAMS_FILE'>

const FOLLOWED: Provider[] = [
  HeadMetricsService,
  HeadTracker,
  { provide: HeadFeed, useExisting: HeadTracker },
  UpstreamsFileReportService,
  UpstreamsReloadJob,
  BudgetWatchJob,
]

function reported({ RULES, UPSTREAMS_FILE }: HeadsEnv): Provider[] {
  // The primary process reads the file again, also where the signal is sent to all.
  if (UPSTREAMS_FILE !== undefined) process.on('SIGHUP', () => {})
  const useFactory = (clients: UpstreamClientsService) => {
    const channel = channelToPrimary()
    channel.onMessage((message) => {
      if (message.type === 'upstreams') clients.use(clients.prepare(message.configs))
      if (message.type === 'spent') clients.budgets.adopt(message.process, message.spent)
    })
    return new RemoteHeadFeed(FollowedChain.of(RULES), channel)
  }
  return [{ provide: HeadFeed, useFactory, inject: [UpstreamClientsService] }]
}
