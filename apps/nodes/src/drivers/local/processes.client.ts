import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Identity } from './records.js'

/** In the environment of every program that is started here, and of no other that has its folder in its command line too. */
const MARK = 'TRESTLE_MACHINE'
const PRLIMIT = '/usr/bin/prlimit'
// linux/sched.h
const PF_KTHREAD = 0x0020_0000
const MOMENTS = 20
const A_MOMENT_MS = 5

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  /** Appended to. */
  readonly log: string
  readonly memoryMiB: number
}

/** The processes of this computer, as /proc shows them. */
export class Processes {
  private readonly children = new Set<number>()

  /** Whether this service started it, and hears of its end. */
  isChild({ pid }: Identity): boolean {
    return this.children.has(pid)
  }

  /** Says which start of the system this is. */
  async bootId(): Promise<string> {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  }

  /** Whether this very process is there still: the number alone may be another's by now. */
  async isAlive(identity: Identity, folder: string): Promise<boolean> {
    const seen = await identify(identity.pid, identity.bootId)
    if (seen?.startTime !== identity.startTime || identity.bootId !== (await this.bootId())) return false
    return (await readAgain(identity.pid, 'cmdline')).includes(`${folder}/`)
  }

  /** Those that were started for this folder, whoever wrote down their numbers. */
  async find(folder: string): Promise<Identity[]> {
    const bootId = await this.bootId()
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    const found = await Promise.all(pids.map(async (pid) => ((await isOf(pid, folder)) ? identify(pid, bootId) : undefined)))
    return found.filter((identity) => identity !== undefined)
  }

  /** Ends nothing that is not this very process. */
  async signal(identity: Identity, folder: string, signal: NodeJS.Signals): Promise<void> {
    if (!(await this.isAlive(identity, folder))) return
    try {
      process.kill(identity.pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  /** Starts a program that outlives this one; `onExit` is called if it does not. */
  async start({ command, args, log, memoryMiB }: Program, folder: string, onExit: () => void): Promise<Identity> {
    const output = await open(log, 'a', 0o600)
    try {
      const [wrapped, wrappedArgs] = bounded(command, args, memoryMiB)
      const env = { PATH: dirname(command), HOME: folder, LANG: 'C.UTF-8', [MARK]: folder }
      const child = spawn(wrapped, wrappedArgs, { cwd: folder, env, detached: true, stdio: ['ignore', output.fd, output.fd] })
      const pid = await started(child)
      this.children.add(pid)
      child.once('exit', () => {
        this.children.delete(pid)
        onExit()
      })
      child.unref()
      const bootId = await this.bootId()
      // It may have ended at once: no process has this identity.
      return (await identify(pid, bootId)) ?? { pid, startTime: 'never', bootId }
    } finally {
      await output.close()
    }
  }
}

/** `--data` is what it can fill with its own; files that it only reads through memory are not counted. No core: passwords are in memory. */
function bounded(command: string, args: readonly string[], memoryMiB: number): [string, string[]] {
  if (!existsSync(PRLIMIT)) return [command, [...args]]
  return [PRLIMIT, [`--data=${memoryMiB * 2 ** 20}`, '--core=0', command, ...args]]
}

async function started(child: ChildProcess): Promise<number> {
  await once(child, 'spawn')
  return child.pid ?? 0
}

/** What /proc/<pid>/stat tells (proc(5)); undefined: there is no such process, or only its exit code. */
async function statOf(pid: number): Promise<{ startTime: string; isKernels: boolean } | undefined> {
  const stat = await readProc(pid, 'stat')
  // The name, in brackets, may hold anything, brackets and blanks too. After it comes field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', flags, startTime] = [fields[0], fields[6], fields[19]]
  if (['', 'Z', 'X'].includes(state) || startTime === undefined) return undefined
  return { startTime, isKernels: (Number(flags) & PF_KTHREAD) !== 0 }
}

async function identify(pid: number, bootId: string): Promise<Identity | undefined> {
  const stat = await statOf(pid)
  return stat && { pid, startTime: stat.startTime, bootId }
}

async function isOf(pid: number, folder: string): Promise<boolean> {
  if (!(await readAgain(pid, 'cmdline')).includes(`${folder}/`)) return false
  return (await readAgain(pid, 'environ')).split('\0').includes(`${MARK}=${folder}`)
}

/** Also of a process that is just becoming another program: for that moment both files are empty. */
async function readAgain(pid: number, file: 'cmdline' | 'environ'): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const content = await readProc(pid, file)
    if (content !== '' || attempt === MOMENTS) return content
    const stat = await statOf(pid)
    if (!stat || stat.isKernels) return ''
    await delay(A_MOMENT_MS)
  }
}

/** Empty where there is no such process, or where it is another user's. */
async function readProc(pid: number, file: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
