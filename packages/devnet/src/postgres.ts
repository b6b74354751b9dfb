import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePorts } from './ports.js'
import { homesOf, type PostgresHome, postgresHome } from './postgres-home.js'
import { copyOrMake, type PostgresData } from './postgres-template.js'
import { endLeftover, type RunningProcess, startProcess } from './process.js'

interface PostgresOptions {
  /** Belongs to one caller at a time; a second start on it finds the data again. */
  readonly dir: string
  /** A free one when left out. */
  readonly port?: number
  /** `false` for throwaway data: a killed process loses nothing, a power cut may. */
  readonly durable?: boolean
}

export interface RunningPostgres {
  /** The superuser's, of the database `postgres`. */
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly process: RunningProcess
  /** Where the data is; not `dir` when root's folders are closed to the user Postgres runs as. */
  readonly dir: string
  stop(): Promise<void>
}

/** Starts a real Postgres on 127.0.0.1 that ends with this process. */
export async function startPostgres({ dir, port = 0, durable = true }: PostgresOptions): Promise<RunningPostgres> {
  const home = postgresHome(dir)
  const password = await initialise(home, durable)
  await endEarlierRun(home)
  const { process, port: chosen } = await startWhenPossible(home, port, durable)
  const url = `postgresql://postgres:${password}@127.0.0.1:${chosen}/postgres`
  return { url, port: chosen, pid: process.pid, process, dir: home.dir, stop: () => process.stop() }
}

async function initialise(home: PostgresHome, durable: boolean): Promise<string> {
  const [data, passwordFile] = [join(home.dir, 'data'), join(home.dir, 'password')]
  if (!existsSync(data)) {
    // Under another name until it is whole: an interrupted initdb leaves a folder that looks like data.
    const unfinished = { data: join(home.dir, 'unfinished'), passwordFile }
    rmSync(unfinished.data, { recursive: true, force: true })
    await (durable ? initdb(home, unfinished) : copyOrMake(home, unfinished, () => initdb(home, unfinished, ['--no-sync'])))
    renameSync(unfinished.data, data)
  }
  return readFileSync(passwordFile, 'utf8')
}

async function initdb({ programs, dir, user }: PostgresHome, { data, passwordFile }: PostgresData, more: readonly string[] = []) {
  writeFileSync(passwordFile, randomBytes(18).toString('hex'), { mode: 0o600 })
  if (user) chownSync(passwordFile, user.uid, user.gid)
  const flags = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--locale=C', '--encoding=UTF8', ...more]
  await promisify(execFile)(join(programs, 'bin/initdb'), [`--pgdata=${data}`, ...flags], { ...user, cwd: dir })
}

/** Forgets the data, wherever it is. */
export async function removePostgres(dir: string): Promise<void> {
  for (const folder of homesOf(dir)) {
    await endEarlierRun({ dir: folder })
    rmSync(folder, { recursive: true, force: true })
  }
}

async function endEarlierRun({ dir }: Pick<PostgresHome, 'dir'>): Promise<void> {
  const pid = Number(pidFile(dir)[0])
  if (!pid) return
  await endLeftover(pid, join(dir, 'data'), 'SIGINT')
  // Postgres would refuse to start if the number belongs to another process by now.
  rmSync(join(dir, 'data/postmaster.pid'), { force: true })
}

async function startWhenPossible(home: PostgresHome, port: number, durable: boolean) {
  for (let attempt = 1; ; attempt++) {
    const chosen = port || (await freePorts(1))[0] || 0
    const process = startProcess(command(home, chosen, durable))
    if (await becomesReady(process, home.dir)) return { process, port: chosen }
    const reason = process.lastLines(10)
    // The backends of a killed server take a moment to notice; a free port may be taken by somebody quicker.
    const passing = reason.includes('pre-existing shared memory block') || (port === 0 && reason.includes('Address already in use'))
    if (!passing || attempt === 20) throw new Error(`Postgres did not start on port ${chosen}:\n${reason}`)
    await delay(250)
  }
}

function command({ programs, dir, user }: PostgresHome, port: number, durable: boolean) {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300']
  if (!durable) settings.push('fsync=off', 'full_page_writes=off', 'max_wal_size=128MB', 'min_wal_size=32MB')
  return {
    name: 'postgres',
    command: join(programs, 'bin/postgres'),
    args: ['-D', join(dir, 'data'), '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    cwd: dir,
    user,
    log: join(dir, 'postgres.log'),
    // "Fast": SIGTERM would wait for every client to leave.
    stopSignal: 'SIGINT',
  } as const
}

async function becomesReady(process: RunningProcess, dir: string): Promise<boolean> {
  while (process.isRunning()) {
    const [pid, , , , , , , status] = pidFile(dir)
    if (Number(pid) === process.pid && status?.trim() === 'ready') return true
    await delay(20)
  }
  return false
}

/** The lines of postmaster.pid: the first is the process, the eighth its status. */
function pidFile(dir: string): string[] {
  const file = join(dir, 'data/postmaster.pid')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
}
