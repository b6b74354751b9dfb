import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '@trestle/problem/thrown'
import type { ProcessIdentity } from './records.js'

/** In the environment of every program started here; another program may have the folder in its command line too. */
const MARK = 'TRESTLE_MACHINE'
const PRLIMIT = '/usr/bin/prlimit'
// linux/sched.h
const PF_KTHREAD = 0x0020_0000
const READ_ATTEMPTS = 20
const READ_PAUSE_MS = 5

interface ProgramStart {
  readonly command: string
  readonly args: readonly string[]
  /** Output is appended to it. */
  readonly log: string
  readonly memoryMiB: number
}

/** The processes of this host, by /proc. */
export class Processes {
  private readonly children = new Set<number>()

  /** Whether it is a child of this process, whose exit Node reports. */
  isChild({ pid }: ProcessIdentity): boolean {
    return this.children.has(pid)
  }

  /** Identifies the current boot of the system. */
  async bootId(): Promise<string> {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  }

  /** Whether this very process still runs: its pid alone may have been reused. */
  async isAlive(identity: ProcessIdentity, folder: string): Promise<boolean> {
    const actual = await identify(identity.pid, identity.bootId)
    if (actual?.startTime !== identity.startTime || identity.bootId !== (await this.bootId())) return false
    return (await readRetrying(identity.pid, 'cmdline')).includes(`${folder}/`)
  }

  /** The processes that were started for this folder, recorded or not. */
  async findByFolder(folder: string): Promise<ProcessIdentity[]> {
    const bootId = await this.bootId()
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    const found = await Promise.all(pids.map(async (pid) => ((await wasStartedFor(pid, folder)) ? identify(pid, bootId) : undefined)))
    return found.filter((identity) => identity !== undefined)
  }

  /** Never signals another process that has the same pid. */
  async signal(identity: ProcessIdentity, folder: string, signal: NodeJS.Signals): Promise<void> {
    if (!(await this.isAlive(identity, folder))) return
    try {
      process.kill(identity.pid, signal)
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error
    }
  }

  /** Starts a program that outlives this process; `onExit` is called if it exits before. */
  async start({ command, args, log, memoryMiB }: ProgramStart, folder: string, onExit: () => void): Promise<ProcessIdentity> {
    const output = await open(log, 'a', 0o600)
    try {
      const [wrapped, wrappedArgs] = limited(command, args, memoryMiB)
      const env = { PATH: dirname(command), HOME: folder, LANG: 'C.UTF-8', [MARK]: folder }
      const child = spawn(wrapped, wrappedArgs, { cwd: folder, env, detached: true, stdio: ['ignore', output.fd, output.fd] })
      const pid = await spawned(child)
      this.children.add(pid)
      child.once('exit', () => {
        this.children.delete(pid)
        onExit()
      })
      child.unref()
      const bootId = await this.bootId()
      // It may have exited at once: no process has this identity.
      return (await identify(pid, bootId)) ?? { pid, startTime: 'never', bootId }
    } finally {
      await output.close()
    }
  }
}

/** `--data` limits the heap, not mapped files. No core dumps: passwords are in memory. */
function limited(command: string, args: readonly string[], memoryMiB: number): [string, string[]] {
  if (!existsSync(PRLIMIT)) return [command, [...args]]
  return [PRLIMIT, [`--data=${memoryMiB * 2 ** 20}`, '--core=0', command, ...args]]
}

async function spawned(child: ChildProcess): Promise<number> {
  await once(child, 'spawn')
  return child.pid ?? 0
}

/** From /proc/<pid>/stat (proc(5)); undefined if there is no such process or it is a zombie. */
async function statOf(pid: number): Promise<{ startTime: string; isKernelThread: boolean } | undefined> {
  const stat = await readProc(pid, 'stat')
  // The name, in brackets, may contain brackets and blanks. Field 3 comes after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', flags, startTime] = [fields[0], fields[6], fields[19]]
  if (['', 'Z', 'X'].includes(state) || startTime === undefined) return undefined
  return { startTime, isKernelThread: (Number(flags) & PF_KTHREAD) !== 0 }
}

async function identify(pid: number, bootId: string): Promise<ProcessIdentity | undefined> {
  const stat = await statOf(pid)
  return stat && { pid, startTime: stat.startTime, bootId }
}

async function wasStartedFor(pid: number, folder: string): Promise<boolean> {
  if (!(await readRetrying(pid, 'cmdline')).includes(`${folder}/`)) return false
  return (await readRetrying(pid, 'environ')).split('\0').includes(`${MARK}=${folder}`)
}

/** Retries while the process is in execve, when both files are empty. */
async function readRetrying(pid: number, file: 'cmdline' | 'environ'): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const content = await readProc(pid, file)
    if (content !== '' || attempt === READ_ATTEMPTS) return content
    const stat = await statOf(pid)
    if (!stat || stat.isKernelThread) return ''
    await delay(READ_PAUSE_MS)
  }
}

/** Empty if there is no such process or it is another user's. */
async function readProc(pid: number, file: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
