import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100 // USER_HZ, the same on every Linux.

/** CPU seconds a process has used so far, its threads included (proc(5), fields 14 and 15). */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

export interface Rival {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Starts a script of this folder that prints its address as its first line. */
export async function startRival(script: string): Promise<Rival> {
  const child: ChildProcess = spawn(process.execPath, [new URL(script, import.meta.url).pathname], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  return {
    url: line.toString().trim(),
    pid: child.pid ?? 0,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
