import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { deploymentsOf } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { servedChains } from '@trestle/contracts/chains/configuration'
import { answerWithProblem } from '@trestle/gateway/problem-answer'
import { Problem } from '@trestle/problem/problem'
import type { Logger } from '@trestle/runtime/logger'
import type { Metrics } from '@trestle/runtime/metrics'
import { type PlainServerOptions, type RunningServer, startPlainServer } from '@trestle/runtime/plain-server'
import { createPublicServer } from '@trestle/runtime/tls/server-tls'
import type { TlsFiles } from '@trestle/runtime/tls/tls-files.engine'
import { Agent, buildConnector } from 'undici'
import { type BrowserRequest, browserRequestOf, type UpstreamAgent } from './browser-request.js'
import { type Chains, chainsForPage, sendChains } from './chains-page.js'
import { answerCredentialChange, isCredentialChange } from './credential-change.controller.js'
import type { PageFile } from './files.js'
import { sendFile, sendPage } from './pages.js'
import { forwardCall } from './platform.client.js'
import { answerCallback, answerProviders, callbackOf } from './provider-sign-in.controller.js'
import { answerSession } from './session.controller.js'

interface ConsoleOptions extends PlainServerOptions {
  /** The origin of each deployment, by its name. */
  upstreams: ReadonlyMap<string, string>
  /** The chains that the platform serves; the default ones when left out. */
  chains?: readonly ServedChain[]
  /** The platform as browsers see it; by the host that they call when left out. */
  publicUrl?: string
  files: ReadonlyMap<string, PageFile>
  /** Its certificate, where it serves HTTPS itself. */
  tls?: TlsFiles
  /** For deployments with an HTTPS origin: who signs their certificates, and the console's own for them. */
  upstreamTls?: TlsFiles
}

const LIMITS = { maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 70_000 }
const STOP_DEADLINE_MS = 10_000

/** Serves the page, keeps the browser's token in a cookie, and passes its calls on to the platform. */
export function startConsole(options: ConsoleOptions): Promise<RunningServer> {
  const { upstreams, files, logger, publicUrl, tls, upstreamTls, chains = servedChains({}) } = options
  return startPlainServer(options, (metrics) => {
    if (tls) metrics.addCertificate(tls)
    const agent = new Agent({
      connections: 64,
      headersTimeout: 120_000,
      bodyTimeout: 0,
      ...(upstreamTls && { connect: connectorOf(upstreamTls) }),
    })
    const platform = { upstreams, agent, chains, publicUrl, deployments: deploymentsOf(chains) }
    const server = createPublicServer(LIMITS, tls, logger, (request, response) => {
      observe(metrics, request, response)
      const context = browserRequestOf(request, response, publicUrl)
      answer(platform, files, context).catch((error: unknown) => fail(error, context, logger))
    })
    return { server, close: () => close(server, agent) }
  })
}

/** Connects with the files as they are now. */
function connectorOf(files: TlsFiles): buildConnector.connector {
  let connect = buildConnector(files.material)
  files.onRenewal(() => {
    connect = buildConnector(files.material)
  })
  return (options, callback) => connect(options, callback)
}

function observe(metrics: Metrics, request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now()
  response.once('close', () => {
    const labels = { method: request.method ?? '', route: routeOf(request), status: response.statusCode }
    metrics.requestDuration.observe(labels, (performance.now() - startedAt) / 1000)
  })
}

async function close(server: Server, agent: Agent): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE_MS)
  server.close()
  server.closeIdleConnections()
  await once(server, 'close')
  clearTimeout(deadline)
  await agent.destroy()
}

async function answer(platform: UpstreamAgent & Chains, files: ReadonlyMap<string, PageFile>, context: BrowserRequest): Promise<void> {
  const { pathname } = context.url
  if (pathname === '/chains' || pathname === '/api/chains') return sendChains(context, platform)
  const answerOwn = answerToPage(context)
  if (answerOwn) return answerOwn(platform, refuseForeign(context))
  // It comes from another site, and needs the cookie of a sign-in that this browser has begun.
  const provider = callbackOf(context)
  if (provider) return answerCallback(platform, context, provider)
  const { method } = context.request
  if (method !== 'GET' && method !== 'HEAD') throw new Problem('method-not-allowed', 'MethodNotAllowed', 'Pages are only read.')
  const file = files.get(pathname)
  if (file && !pathname.endsWith('.html')) return sendFile(context, file)
  if (pathname !== '/' && pathname !== '/app' && !pathname.startsWith('/app/'))
    throw new Problem('unknown', 'NotFound', `There is nothing at ${pathname}.`)
  return sendPage(context, files, chainsForPage(context, platform))
}

/** What answers calls that only our own page may make. */
function answerToPage(context: BrowserRequest): ((platform: UpstreamAgent, context: BrowserRequest) => Promise<void>) | undefined {
  const { pathname } = context.url
  if (isCredentialChange(context)) return answerCredentialChange
  if (pathname.startsWith('/api/')) return forwardCall
  if (pathname === '/session') return answerSession
  return pathname === '/session/providers' ? answerProviders : undefined
}

/** A header of our own cannot come from another site's page without our leave (Fetch, CORS preflight), and we give none. */
function refuseForeign(context: BrowserRequest): BrowserRequest {
  if (context.request.headers['x-trestle-console'] === '1') return context
  throw new Problem(
    'forbidden',
    'ForeignRequest',
    'This address serves the console alone; programs call the platform itself, without /api.',
  )
}

function routeOf({ url = '' }: IncomingMessage): string {
  return /^\/(api|session|assets)\b/.exec(url)?.[0] ?? '/'
}

function fail(error: unknown, context: BrowserRequest, logger: Logger): void {
  const { request, requestId } = context
  const isProblem = error instanceof Problem
  if (!isProblem) logger.warn({ err: error, route: routeOf(request), requestId }, 'a call could not be passed on')
  request.resume()
  answerWithProblem(
    context,
    isProblem ? error : new Problem('bad-upstream', 'Unreachable', 'The platform did not answer; try again in a moment.'),
  )
}
