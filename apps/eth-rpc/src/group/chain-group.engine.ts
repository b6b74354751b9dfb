import { createServer, type Server, type ServerResponse } from 'node:http'
import { createLogger, type Logger } from '@trestle/runtime/logger'
import type { ReadinessReport } from '@trestle/runtime/readiness'
import { listen } from '@trestle/runtime/server-url'
import { stopOnSignals } from '@trestle/runtime/stop-on-signals'
import { startPrimary } from '../cluster/primary.engine.js'
import type { GroupEnv } from '../env.js'
import { startEthRpc } from '../service.js'

/** One chain of the group, once it runs. */
interface RunningChain {
  readiness(): Promise<ReadinessReport>
  stop(): Promise<void>
}

interface RunningGroup {
  readonly internalUrl: string
  stop(): Promise<void>
}

/**
 * Starts several chains, each as in a deployment of its own: those with one worker in this process, the others with processes that serve.
 * The group is ready while one of them is: who calls another chain gets its error.
 */
export async function startGroup({ chains, HOST, INTERNAL_PORT, LOG_LEVEL }: GroupEnv): Promise<RunningGroup> {
  const logger = createLogger('eth-rpc', LOG_LEVEL)
  const running = new Map<string, RunningChain>()
  const names = chains.map(({ env }) => env.CHAIN)
  const internal = createServer((request, response) => void answer(request.url ?? '/', response, () => readinessOf(names, running)))
  const internalUrl = await listen(internal, INTERNAL_PORT, HOST)
  const stop = stopOnce(running, internal, logger)
  const release = stopOnSignals(stop, logger)
  try {
    await Promise.all(chains.map(async (chain) => running.set(chain.env.CHAIN, await start(chain))))
  } catch (error) {
    await stop()
    throw error
  }
  logger.info({ internalUrl, chains: names }, 'all chains have started')
  return { internalUrl, stop: () => stop().finally(release) }
}

async function start({ env, environment }: GroupEnv['chains'][number]): Promise<RunningChain> {
  return env.WORKERS > 1 ? startPrimary(env, { environment }) : startEthRpc(env, { ownsProcess: false })
}

function stopOnce(running: ReadonlyMap<string, RunningChain>, internal: Server, logger: Logger): () => Promise<void> {
  let stopping: Promise<void> | undefined
  const stopAll = async () => {
    const results = await Promise.allSettled([...running.values()].map((chain) => chain.stop()))
    for (const result of results) if (result.status === 'rejected') logger.error({ err: result.reason }, 'a chain did not stop in order')
    internal.close()
    internal.closeAllConnections()
  }
  return () => {
    stopping ??= stopAll()
    return stopping
  }
}

async function readinessOf(names: readonly string[], running: ReadonlyMap<string, RunningChain>): Promise<ReadinessReport> {
  const reports = await Promise.all(names.map(async (name) => [name, await running.get(name)?.readiness()] as const))
  const failed = reports.filter(([, report]) => !report?.ready)
  const checks = Object.fromEntries(reports.map(([name, report]) => [name, report?.ready ? ('ok' as const) : ('failed' as const)]))
  const reasons = Object.fromEntries(failed.map(([name, report]) => [name, Object.values(report?.reasons ?? STARTING).join(' ')]))
  return { ready: failed.length < names.length, checks, ...(failed.length > 0 && { reasons }) }
}

const STARTING = { service: 'It is starting.' }

async function answer(url: string, response: ServerResponse, readiness: () => Promise<ReadinessReport>): Promise<void> {
  const [path] = url.split('?', 1)
  if (path === '/livez') return send(response, 200, { status: 'alive' })
  if (path !== '/readyz') return send(response, 404, { status: 'unknown' })
  const report = await readiness()
  send(response, report.ready ? 200 : 503, report)
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
