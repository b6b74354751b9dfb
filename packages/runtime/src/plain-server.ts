import type { Server } from 'node:http'
import { InternalRoutes } from './internal-server.js'
import type { Logger } from './logger.js'
import { Metrics } from './metrics.js'
import { Readiness } from './readiness.js'
import { listen } from './server-url.js'

export interface PlainServerOptions {
  readonly host: string
  readonly port: number
  readonly internalPort: number
  readonly logger: Logger
}

/** A public server without Nest: the ingress, the console. */
interface PlainServer {
  readonly server: Server
  /** Lets requests finish, and closes. */
  close(): Promise<void>
}

export interface RunningServer {
  readonly url: string
  readonly internalUrl: string
  stop(): Promise<void>
}

/** Starts a public server, and beside it the internal one with its health and metrics. */
export async function startPlainServer(
  { host, port, internalPort, logger }: PlainServerOptions,
  create: (metrics: Metrics) => PlainServer,
): Promise<RunningServer> {
  const readiness = new Readiness()
  const metrics = new Metrics()
  const open = create(metrics)
  const internal = new InternalRoutes(readiness, metrics, logger).createServer()
  const [url, internalUrl] = await Promise.all([listen(open.server, port, host), listen(internal, internalPort, host)])
  return {
    url,
    internalUrl,
    async stop() {
      readiness.stopping = true
      await open.close()
      internal.close()
      internal.closeAllConnections()
    },
  }
}
