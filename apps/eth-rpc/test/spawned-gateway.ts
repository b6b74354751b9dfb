import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePorts } from '@trestle/devnet/ports'
import { eventually } from '@trestle/testing/eventually'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

interface Line {
  readonly pid: number
  readonly msg: string
}

/** A gateway in a process of its own, or in several, which may be killed. */
export async function spawnGateway(environment: Record<string, string>, workers: number) {
  const [port, internalPort] = (await freePorts(2)) as [number, number]
  const own = { PORT: String(port), INTERNAL_PORT: String(internalPort), WORKERS: String(workers), LOG_LEVEL: 'info', NODE_OPTIONS: '' }
  const env = { ...process.env, ...environment, ...own }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: Line[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  const exited = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>
  const internalUrl = `http://127.0.0.1:${internalPort}`
  const serving = () => lines.filter(({ msg }) => msg === 'listening').map(({ pid }) => pid)
  await eventually(() => serving().length === workers || undefined, 'all its processes serve', 60_000)
  await eventually(() => isReady(internalUrl), 'it is ready')
  return {
    url: `http://127.0.0.1:${port}`,
    internalUrl,
    process: child,
    exited,
    lines,
    /** The processes that serve, those that do no more too. */
    serving,
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
export type SpawnedGateway = Awaited<ReturnType<typeof spawnGateway>>

/** True, or undefined. */
export function isReady(internalUrl: string): Promise<true | undefined> {
  return fetch(`${internalUrl}/readyz`).then(
    ({ ok }) => ok || undefined,
    () => undefined,
  )
}
