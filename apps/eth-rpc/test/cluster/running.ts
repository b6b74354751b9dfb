import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePorts } from '@trestle/devnet/ports'
import { untilTrue } from '../heads/tracked.js'

interface WorkerOutput {
  readonly pid: number
  readonly head?: string
  readonly finalized?: number
  readonly known: number
  readonly upstreams: readonly { name: string; head: number; isOnOurChain: boolean; isUsable: boolean }[]
  readonly told: readonly string[]
  readonly logs: readonly number[]
}

export interface RunningCluster {
  readonly url: string
  readonly internalUrl: string
  readonly process: ChildProcess
  readonly lines: Record<string, unknown>[]
  /** What so many workers know. */
  askAll(count: number): Promise<WorkerOutput[]>
  stop(): Promise<void>
}

export async function startCluster(upstreams: readonly object[], workers = 2): Promise<RunningCluster> {
  const [PORT, INTERNAL_PORT] = (await freePorts(2)) as [number, number]
  const settings = { ...SETTINGS, PORT, INTERNAL_PORT, UPSTREAMS: upstreams, WORKERS: workers }
  const flags = ['--import', '@trestle/tooling/from-source', '--disable-warning=ExperimentalWarning']
  const env = { ...process.env, SETTINGS: JSON.stringify(settings), NODE_OPTIONS: '' }
  const child = spawn(process.execPath, [...flags, file('program.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: Record<string, unknown>[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  const url = `http://127.0.0.1:${PORT}`
  const internalUrl = `http://127.0.0.1:${INTERNAL_PORT}`
  const running = { url, internalUrl, process: child, lines, askAll: (count: number) => askAll(url, count), stop: () => stop(child) }
  await untilTrue(() => answers(`${internalUrl}/readyz`))
  return running
}

const SETTINGS = {
  NODE_ENV: 'test',
  UPSTREAM_TRANSPORT: 'http1',
  HOST: '127.0.0.1',
  BASE_PATH: '',
  LOG_LEVEL: 'info',
  STOP_DELAY_MS: 0,
  TRUSTED_PROXIES: ['loopback'],
  PUBLIC_URL: 'http://127.0.0.1',
  CHAIN: 'eth',
  CHAIN_ID: 1337,
  POLL_MS: 50,
  MAX_LAG: 4,
  RULES: { finality: 'nodes', blockSeconds: 12 },
}

async function askAll(url: string, count: number): Promise<WorkerOutput[]> {
  const found = new Map<number, WorkerOutput>()
  while (found.size < count) {
    const told = await ask(url)
    if (told) found.set(told.pid, told)
  }
  return [...found.values()]
}

/** Which worker answers, chance decides; one that was killed at this moment does not. */
async function ask(url: string): Promise<WorkerOutput | undefined> {
  try {
    const answer = await fetch(`${url}/chain`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(5_000) })
    return (await answer.json()) as WorkerOutput
  } catch {
    return undefined
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

function file(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
