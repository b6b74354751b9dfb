import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type RunningProcess, startProcess } from './process.js'
import { COMPILE_CACHE_ENV, WORKSPACE } from './workspace.js'

export interface ServiceProgram {
  readonly app: string
  readonly env: Readonly<Record<string, string>>
  readonly log: string
}

const PATIENCE_MS = 120_000

/** Starts a built app; settles when its `/readyz` says so. */
export async function startProgram(name: string, { app, env, log }: ServiceProgram): Promise<RunningProcess> {
  const tracing = process.env.OTEL_EXPORTER_OTLP_ENDPOINT ? ['--import', '@trestle/runtime/tracing'] : []
  // As in the image.
  const args = ['--enable-source-maps', '--max-semi-space-size=16', ...tracing, 'dist/main.js']
  const { NODE_OPTIONS, ...inherited } = process.env
  const running = startProcess({
    name,
    command: process.execPath,
    args,
    cwd: join(WORKSPACE, 'apps', app),
    env: { ...inherited, ...COMPILE_CACHE_ENV, ...env },
    log,
  })
  try {
    await untilReady(running, `http://127.0.0.1:${env.INTERNAL_PORT}/readyz`)
  } catch (error) {
    await running.stop()
    throw new Error(`${error instanceof Error ? error.message : error} The end of ${log}:\n${running.lastLines()}`)
  }
  return running
}

async function untilReady({ name, exited, isRunning }: RunningProcess, url: string): Promise<void> {
  const patience = Date.now() + PATIENCE_MS
  let answer = 'nothing'
  while (isRunning()) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    if (response) answer = `${response.status} ${await response.text()}`
    if (Date.now() > patience) throw new Error(`${name} was not ready within ${PATIENCE_MS / 1000} s; ${url} answered ${answer}.`)
    await delay(50)
  }
  throw new Error(`${name} did not start (${await exited}).`)
}
