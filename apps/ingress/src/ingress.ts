import type { BlockList } from 'node:net'
import { type PlainServerOptions, type RunningServer, startPlainServer } from '@trestle/runtime/plain-server'
import { IngressServer } from './ingress-server.engine.js'
import { Replicas } from './replicas.js'
import type { Timeouts } from './service.client.js'

export interface IngressOptions extends PlainServerOptions {
  /** The replicas of each deployment, by its name. */
  upstreams: ReadonlyMap<string, readonly URL[]>
  trusted: BlockList
  timeouts?: Timeouts
  /** How long a stop waits for the requests in flight. */
  stopDeadlineMs?: number
}

const TIMEOUTS: Timeouts = { connectMs: 2000, idleMs: 75_000 }

/** Sends each request to the service that its path belongs to. */
export function startIngress(options: IngressOptions): Promise<RunningServer> {
  const { logger, trusted, timeouts = TIMEOUTS, stopDeadlineMs = 20_000 } = options
  const upstreams = new Map([...options.upstreams].map(([name, origins]) => [name, new Replicas(origins)]))
  return startPlainServer(options, (metrics) => {
    const ingress = new IngressServer({ upstreams, trusted, timeouts, logger }, metrics)
    return { server: ingress.server, close: () => ingress.close(stopDeadlineMs) }
  })
}
