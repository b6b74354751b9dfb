import type { BlockList } from 'node:net'
import { deploymentsOf } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { servedChains } from '@trestle/contracts/chains/configuration'
import { type PlainServerOptions, type RunningServer, startPlainServer } from '@trestle/runtime/plain-server'
import type { TlsFiles } from '@trestle/runtime/tls/tls-files.engine'
import { IngressServer } from './ingress-server.engine.js'
import { Replicas } from './replicas.js'
import type { Timeouts } from './service.client.js'
import { ServiceAgents } from './service-agents.engine.js'

export interface IngressOptions extends PlainServerOptions {
  /** The replicas of each deployment, by its name. */
  upstreams: ReadonlyMap<string, readonly URL[]>
  /** The chains that the platform serves; the default ones when left out. */
  chains?: readonly ServedChain[]
  /** The ingress as callers see it; by the host that they call when left out. */
  publicUrl?: string
  trusted: BlockList
  /** For replicas with an HTTPS address: who signs their certificates, and the ingress' own for them. */
  upstreamTls?: TlsFiles
  timeouts?: Timeouts
  /** How long a stop waits for the requests in flight. */
  stopDeadlineMs?: number
}

const TIMEOUTS: Timeouts = { connectMs: 2000, idleMs: 75_000 }

/** Sends each request to the service that its path belongs to. */
export function startIngress(options: IngressOptions): Promise<RunningServer> {
  const { logger, trusted, publicUrl, upstreamTls, chains = servedChains({}), timeouts = TIMEOUTS, stopDeadlineMs = 20_000 } = options
  const upstreams = new Map([...options.upstreams].map(([name, origins]) => [name, new Replicas(origins)]))
  const agents = new ServiceAgents(upstreamTls)
  const routes = { upstreams, agents, trusted, timeouts, logger, chains, publicUrl, deployments: deploymentsOf(chains) }
  return startPlainServer(options, (metrics) => {
    const ingress = new IngressServer(routes, metrics)
    return { server: ingress.server, close: () => ingress.close(stopDeadlineMs) }
  })
}
