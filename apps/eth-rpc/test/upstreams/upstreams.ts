import { Metrics } from '@trestle/runtime/metrics'
import type { HeadFeed } from '../../src/heads/head-feed.js'
import { Broadcast } from '../../src/upstreams/broadcast.service.js'
import { Calls } from '../../src/upstreams/calls.service.js'
import { Fleet } from '../../src/upstreams/fleet.service.js'
import { LogsService } from '../../src/upstreams/logs.service.js'
import type { UpstreamConfig } from '../../src/upstreams/upstream.js'
import { UpstreamClients } from '../../src/upstreams/upstream-clients.service.js'
import { UpstreamMetrics } from '../../src/upstreams/upstream-metrics.service.js'
import { Upstreams } from '../../src/upstreams/upstreams.service.js'

/** The service before these nodes. */
export function upstreamsBefore(configs: readonly Partial<UpstreamConfig>[], feed: HeadFeed, CALL_TIMEOUT_MS = 5_000) {
  const UPSTREAMS = configs.map((config, i) => ({ name: String.fromCharCode(97 + i), url: '', archive: false, priority: 0, ...config }))
  const metrics = new Metrics()
  const clients = new UpstreamClients({ UPSTREAMS })
  const fleet = new Fleet(clients, feed, new UpstreamMetrics(metrics))
  const calls = new Calls(fleet, { CALL_TIMEOUT_MS })
  const upstreams = new Upstreams(calls, new Broadcast(fleet, calls, { CALL_TIMEOUT_MS }), new LogsService(calls, feed))
  return { upstreams, fleet, close: () => clients.onApplicationShutdown(), metrics: () => metrics.registry.metrics() }
}
