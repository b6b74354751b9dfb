import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, fchmodSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '@trestle/problem/thrown'
import { guard, release } from './guard.js'

interface ProcessOptions {
  readonly name: string
  readonly command: string
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly user?: OsUser
  /** The file its output is appended to. */
  readonly log: string
  readonly stopSignal?: NodeJS.Signals
}

export interface OsUser {
  readonly uid: number
  readonly gid: number
}

export interface RunningProcess {
  readonly name: string
  readonly pid: number
  /** Settles when it has ended, with the reason: `exit code 1`, `SIGKILL`. */
  readonly exited: Promise<string>
  isRunning(): boolean
  kill(signal: NodeJS.Signals): void
  /** Asks it to stop, in its own way unless told another, and ends it after ten seconds. */
  stop(signal?: NodeJS.Signals): Promise<void>
  lastLines(count?: number): string
}

const PATIENCE_MS = 10_000

/** Starts a child process that does not outlive this one, and does not keep it alive. */
export function startProcess({ name, command, args = [], log, stopSignal = 'SIGTERM', ...options }: ProcessOptions): RunningProcess {
  const output = openLog(log)
  const { user, ...rest } = options
  const child = spawn(command, args, { ...rest, ...user, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  const { promise: exited, resolve } = Promise.withResolvers<string>()
  child.on('error', (error) => resolve(error.message))
  const { pid } = child
  if (pid === undefined) throw new Error(`${name} cannot be started: ${command} is missing or not executable.`)
  guard(pid, stopSignal)
  child.on('exit', (code, signal) => {
    release(pid)
    resolve(signal ?? `exit code ${code}`)
  })
  child.unref()
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    name,
    pid,
    exited,
    isRunning,
    kill: (signal) => void child.kill(signal),
    async stop(signal = stopSignal) {
      if (!isRunning()) return
      child.ref()
      child.kill(signal)
      const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await exited
      clearTimeout(impatience)
    },
    lastLines: (count = 20) => readFileSync(log, 'utf8').trimEnd().split('\n').slice(-count).join('\n'),
  }
}

/** Logs may hold addresses and tokens: they are for this user alone, and so is a folder made for them. */
function openLog(path: string): number {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (basename(folder) === 'logs') chmodSync(folder, 0o700)
  const output = openSync(path, 'a', 0o600)
  fchmodSync(output, 0o600)
  return output
}

/**
 * Stops a server that an earlier run left behind. `mark` is part of its command line, for the number may be another's by now. Throws where
 * that cannot be told: two servers on one folder destroy it.
 */
export async function endLeftover(pid: number, mark: string, signal: NodeJS.Signals, read = commandLineOf): Promise<void> {
  if (read(pid) === undefined && isAlive(pid)) {
    const doubt = `Process ${pid} may still use ${mark}, and this system does not say what it is.`
    throw new Error(`${doubt} End it if so; if not, delete the file that names it.`)
  }
  if (!read(pid)?.includes(mark)) return
  process.kill(pid, signal)
  const impatience = Date.now() + PATIENCE_MS
  while (read(pid)?.includes(mark)) {
    if (Date.now() > impatience) process.kill(pid, 'SIGKILL')
    await delay(50)
  }
}

/** The command line of a process; empty when there is no such process, undefined when the system does not tell. */
export function commandLineOf(pid: number, proc = '/proc'): string | undefined {
  if (!existsSync(`${proc}/${process.pid}`)) return commandLineFromPs(pid)
  try {
    return readFileSync(`${proc}/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** For systems without /proc, such as macOS. */
function commandLineFromPs(pid: number): string | undefined {
  const { status, stdout, error } = spawnSync('ps', ['-ww', '-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  if (error) return undefined
  return status === 0 ? stdout.trim() : ''
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is another user's.
    return codeOf(error) === 'EPERM'
  }
}
