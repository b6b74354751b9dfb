import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { natsServer } from './nats-server.js'
import { endLeftover, type RunningProcess, startProcess } from './process.js'

interface NatsOptions {
  /** Belongs to one caller at a time; JetStream keeps its data in `jetstream` below it. */
  readonly dir: string
  /** A free one when left out. */
  readonly port?: number
  /** Who may do what, as it stands in the server's configuration. */
  readonly authorization: string
}

export interface RunningNats {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly process: RunningProcess
  stop(): Promise<void>
}

/** Starts a real nats-server with JetStream on 127.0.0.1 that ends with this process. */
export async function startNats({ dir, port, authorization }: NatsOptions): Promise<RunningNats> {
  const command = await natsServer()
  const home = resolve(dir)
  mkdirSync(home, { recursive: true })
  await endEarlierRuns(home)
  const config = join(home, 'nats.conf')
  writeFileSync(config, configuration(home, port || -1) + authorization, { mode: 0o600 })
  const process = startProcess({ name: 'nats', command, args: ['-c', config], log: join(home, 'nats.log') })
  const url = await addressOf(process, home)
  return { url, port: Number(new URL(url).port), pid: process.pid, process, stop: () => process.stop() }
}

/** Forgets the data. */
export async function removeNats(dir: string): Promise<void> {
  if (existsSync(dir)) await endEarlierRuns(resolve(dir))
  rmSync(dir, { recursive: true, force: true })
}

// -1: the server takes a free port and writes which into a file in ports_file_dir.
function configuration(dir: string, port: number): string {
  return `listen: "127.0.0.1:${port}"
ports_file_dir: ${JSON.stringify(dir)}
jetstream { store_dir: ${JSON.stringify(join(dir, 'jetstream'))} }
`
}

async function endEarlierRuns(dir: string): Promise<void> {
  for (const file of readdirSync(dir)) {
    const pid = /^nats-server_(\d+)\.ports$/.exec(file)?.[1]
    if (!pid) continue
    await endLeftover(Number(pid), join(dir, 'nats.conf'), 'SIGTERM')
    rmSync(join(dir, file), { force: true })
  }
}

async function addressOf(process: RunningProcess, dir: string): Promise<string> {
  const file = join(dir, `nats-server_${process.pid}.ports`)
  while (process.isRunning()) {
    const ports = existsSync(file) && readWhole(file)
    if (ports) return ports.nats[0]
    await delay(10)
  }
  throw new Error(`nats-server did not start:\n${process.lastLines(10)}`)
}

/** Nothing while it is still being written. */
function readWhole(file: string): { nats: [string] } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
