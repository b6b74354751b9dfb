import { Metrics } from '@trestle/runtime/metrics'
import type { HeadFeed } from '../../src/heads/head-feed.js'
import { UpstreamClientsService } from '../../src/upstreams/upstream-clients.service.js'
import type { UpstreamConfig } from '../../src/upstreams/upstream-config.js'
import { UpstreamMetricsService } from '../../src/upstreams/upstream-metrics.service.js'
import { UpstreamPool } from '../../src/upstreams/upstream-pool.engine.js'

/** The pool of these nodes. */
export function upstreamsBefore(configs: readonly Partial<UpstreamConfig>[], feed: HeadFeed, CALL_TIMEOUT_MS = 5_000) {
  const UPSTREAMS = configs.map((config, i) => ({ name: String.fromCharCode(97 + i), url: '', archive: false, priority: 0, ...config }))
  const metrics = new Metrics()
  const clients = new UpstreamClientsService({ UPSTREAMS, UPSTREAM_TRANSPORT: 'http1' })
  const upstreams = new UpstreamPool(clients, feed, new UpstreamMetricsService(metrics), { CALL_TIMEOUT_MS })
  clients.onChange((all) => upstreams.take(all))
  const reconfigure = (all: readonly UpstreamConfig[]) => clients.use(clients.prepare(all))
  const { budgets } = clients
  return { upstreams, budgets, reconfigure, close: () => clients.onApplicationShutdown(), metrics: () => metrics.registry.metrics() }
}
