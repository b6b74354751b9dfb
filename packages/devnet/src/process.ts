import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
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
  mkdirSync(dirname(log), { recursive: true })
  const output = openSync(log, 'a')
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

/** Stops a server that an earlier run left behind. `mark` is part of its command line, for the number may be another's by now. */
export async function endLeftover(pid: number, mark: string, signal: NodeJS.Signals): Promise<void> {
  if (!commandLineOf(pid).includes(mark)) return
  process.kill(pid, signal)
  const impatience = Date.now() + PATIENCE_MS
  while (commandLineOf(pid).includes(mark)) {
    if (Date.now() > impatience) process.kill(pid, 'SIGKILL')
    await delay(50)
  }
}

/** The command line of a process; empty where there is none, or no /proc to read it from. */
export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is another user's.
    return codeOf(error) === 'EPERM'
  }
}
