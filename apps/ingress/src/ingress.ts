import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, BlockList } from 'node:net'
import { deploymentsOf } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { servedChains } from '@trestle/contracts/chains/configuration'
import { InternalRoutes } from '@trestle/runtime/internal-server'
import type { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import { Door } from './door.js'
import { Replicas } from './replicas.js'
import type { Timeouts } from './upstream.js'

export interface IngressOptions {
  host: string
  port: number
  internalPort: number
  /** The replicas of each deployment, by its name. */
  upstreams: ReadonlyMap<string, readonly URL[]>
  /** What the platform serves; what it serves by default when left out. */
  chains?: readonly ServedChain[]
  /** The ingress as callers see it; by the host that they call when left out. */
  publicUrl?: string
  trusted: BlockList
  logger: Logger
  timeouts?: Timeouts
  /** How long a stop waits for the requests in flight. */
  stopDeadlineMs?: number
}

export interface RunningIngress {
  url: string
  internalUrl: string
  stop(): Promise<void>
}

const TIMEOUTS: Timeouts = { connectMs: 2000, idleMs: 75_000 }

/** The one door: sends each request to the service that its path belongs to. */
export async function startIngress(options: IngressOptions): Promise<RunningIngress> {
  const {
    host,
    port,
    internalPort,
    logger,
    trusted,
    chains = servedChains({}),
    publicUrl,
    timeouts = TIMEOUTS,
    stopDeadlineMs = 20_000,
  } = options
  const readiness = new Readiness()
  const metrics = new Metrics()
  const upstreams = new Map([...options.upstreams].map(([name, origins]) => [name, new Replicas(origins)]))
  const door = new Door({ upstreams, trusted, timeouts, logger, chains, publicUrl, deployments: deploymentsOf(chains) }, metrics)
  const internal = new InternalRoutes(readiness, metrics, logger).createServer()
  const [url, internalUrl] = await Promise.all([listen(door.server, port, host), listen(internal, internalPort, host)])
  return {
    url,
    internalUrl,
    async stop() {
      readiness.stopping = true
      await door.close(stopDeadlineMs)
      internal.close()
      internal.closeAllConnections()
    },
  }
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: taken } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}
