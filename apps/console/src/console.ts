import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deploymentsOf } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { servedChains } from '@trestle/contracts/chains/configuration'
import { Problem } from '@trestle/problem/problem'
import { InternalRoutes } from '@trestle/runtime/internal-server'
import type { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Readiness } from '@trestle/runtime/readiness'
import { Agent } from 'undici'
import { type Chains, sendChains } from './chains-page.js'
import { type Behind, type Exchange, exchangeOf } from './exchange.js'
import type { PageFile } from './files.js'
import { sendFile, sendPage } from './pages.js'
import { passOn } from './pass-on.js'
import { changePassword, signIn, signOut, tellSession } from './sign-in.js'

export interface ConsoleOptions {
  host: string
  port: number
  internalPort: number
  /** Where each deployment is, by its name. */
  upstreams: ReadonlyMap<string, string>
  /** What the platform serves; what it serves by default when left out. */
  chains?: readonly ServedChain[]
  /** The platform as browsers see it; by the host that they call when left out. */
  publicUrl?: string
  files: ReadonlyMap<string, PageFile>
  logger: Logger
}

const LIMITS = { maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 70_000 }
const STOP_DEADLINE_MS = 10_000

/** Serves the page, keeps the browser's token in a cookie, and passes its calls on to the platform. */
export async function startConsole({ host, port, internalPort, upstreams, files, logger, ...options }: ConsoleOptions) {
  const { chains = servedChains({}), publicUrl } = options
  const readiness = new Readiness()
  const metrics = new Metrics()
  const agent = new Agent({ connections: 64, headersTimeout: 120_000, bodyTimeout: 0 })
  const server = createServer(LIMITS, (request, response) => {
    const startedAt = performance.now()
    response.once('close', () => {
      const labels = { method: request.method ?? '', route: routeOf(request), status: response.statusCode }
      metrics.requestDuration.observe(labels, (performance.now() - startedAt) / 1000)
    })
    const exchange = exchangeOf(request, response)
    answer({ upstreams, agent, chains, publicUrl, deployments: deploymentsOf(chains) }, files, exchange).catch((error: unknown) =>
      fail(error, exchange, logger),
    )
  })
  const internal = new InternalRoutes(readiness, metrics, logger).createServer()
  const [url, internalUrl] = await Promise.all([listen(server, port, host), listen(internal, internalPort, host)])
  return {
    url,
    internalUrl,
    async stop() {
      readiness.stopping = true
      const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE_MS)
      server.close()
      server.closeIdleConnections()
      await once(server, 'close')
      clearTimeout(deadline)
      internal.close()
      internal.closeAllConnections()
      await agent.destroy()
    },
  }
}

async function answer(behind: Behind & Chains, files: ReadonlyMap<string, PageFile>, exchange: Exchange): Promise<void> {
  const { pathname } = exchange.url
  if (pathname === '/chains' || pathname === '/api/chains') return sendChains(exchange, behind)
  if (pathname.startsWith('/api/')) return passOn(behind, refuseForeign(exchange))
  if (pathname === '/session') return session(behind, refuseForeign(exchange))
  const { method } = exchange.request
  if (method !== 'GET' && method !== 'HEAD') throw new Problem('method-not-allowed', 'MethodNotAllowed', 'Pages are only read.')
  const file = files.get(pathname)
  if (file && !pathname.endsWith('.html')) return sendFile(exchange, file)
  if (pathname !== '/' && pathname !== '/app' && !pathname.startsWith('/app/'))
    throw new Problem('unknown', 'NotFound', `There is nothing at ${pathname}.`)
  return sendPage(exchange, files)
}

async function session(behind: Behind, exchange: Exchange): Promise<void> {
  const { method } = exchange.request
  if (method === 'GET') return tellSession(exchange)
  if (method === 'POST') return signIn(behind, exchange)
  if (method === 'PATCH') return changePassword(behind, exchange)
  if (method === 'DELETE') return signOut(behind, exchange)
  throw new Problem(
    'method-not-allowed',
    'MethodNotAllowed',
    'A session is read by GET, begun by POST, given a new password by PATCH and ended by DELETE.',
  )
}

/** A header of our own cannot come from another site's page without our leave (Fetch, CORS preflight), and we give none. */
function refuseForeign(exchange: Exchange): Exchange {
  if (exchange.request.headers['x-trestle-console'] === '1') return exchange
  throw new Problem(
    'forbidden',
    'ForeignRequest',
    'This address serves the console alone; programs call the platform itself, without /api.',
  )
}

function routeOf({ url = '' }: IncomingMessage): string {
  return /^\/(api|session|assets)\b/.exec(url)?.[0] ?? '/'
}

function fail(error: unknown, { request, response, requestId }: Exchange, logger: Logger): void {
  const isTold = error instanceof Problem
  const problem = isTold ? error : new Problem('bad-upstream', 'Unreachable', 'The platform did not answer; try again in a moment.')
  if (!isTold) logger.warn({ err: error, route: routeOf(request), requestId }, 'a call could not be passed on')
  if (response.headersSent) return void response.destroy()
  request.resume()
  const headers = { 'content-type': 'application/problem+json; charset=utf-8', 'cache-control': 'no-store', 'x-request-id': requestId }
  response.writeHead(problem.status, { ...problem.headers, ...headers }).end(JSON.stringify({ ...problem.toJSON(), requestId }))
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const { address, port: taken } = server.address() as AddressInfo
  return `http://${address.includes(':') ? `[${address}]` : address}:${taken}`
}
