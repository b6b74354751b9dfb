import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { guard, release } from '@trestle/devnet/guard'

const TICKS_PER_SECOND = 100 // USER_HZ, the same on every Linux.

/** CPU seconds a process has used so far, its threads included (proc(5), fields 14 and 15). */
export function cpuSeconds(pid: number): number {
  const [, , user, system] = statOf(pid)
  return (Number(user) + Number(system)) / TICKS_PER_SECOND
}

/** CPU seconds of a server and its current and former children, such as Postgres with its backends. */
export function familyCpuSeconds(pid: number): number {
  const children = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && statOf(Number(entry))[1] === String(pid))
  const ticks = [pid, ...children.map(Number)].flatMap((member) => statOf(member).slice(2))
  return ticks.reduce((sum, each) => sum + Number(each), 0) / TICKS_PER_SECOND
}

/** The peak resident memory of a process (proc(5), VmHWM). */
export function peakMebibytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** The resident memory of a process (proc(5), VmRSS). */
export function residentMebibytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** State, parent, and the ticks of user and system, its own and of its ended children; undefined if the process has exited. */
function statOf(pid: number): string[] {
  try {
    const [state = '', parent = '', ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return [state, parent, ...rest.slice(9, 13)]
  } catch {
    return []
  }
}

export interface BenchProcess {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Starts a script of this folder that prints its address as its first line. */
export async function startScript(script: string, ...args: string[]): Promise<BenchProcess> {
  const command = [new URL(script, import.meta.url).pathname, ...args]
  const child: ChildProcess = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = child.pid ?? 0
  // A failing benchmark must not leave it running.
  guard(pid, 'SIGTERM')
  const [line] = await once(child.stdout ?? child, 'data')
  return {
    url: String(line).trim(),
    pid,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill()
      await ended
      release(pid)
    },
  }
}
