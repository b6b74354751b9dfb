import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Started = z.object({ pid: z.int().positive(), startedAt: z.string() })
const Info = z.object({ ingress: z.string(), mailbox: z.string(), demo: z.object({ email: z.string(), password: z.string() }) })
export type LocalPlatformInfo = z.infer<typeof Info>

/** The platform that `trestle up` starts in a checkout. */
export class LocalPlatform {
  readonly log: string
  private readonly record: string
  private readonly info: string

  constructor(readonly checkout: string) {
    const data = join(checkout, '.data')
    this.log = join(data, 'logs/up.log')
    this.record = join(data, 'up.json')
    this.info = join(data, 'devnet.json')
  }

  /** The process that was started, while it runs; its start time tells it from another with the same pid. */
  runningPid(): number | undefined {
    const started = read(this.record, Started)
    return started && processStart(started.pid) === started.startedAt ? started.pid : undefined
  }

  remember(pid: number): void {
    writeFileSync(this.record, JSON.stringify({ pid, startedAt: processStart(pid) }))
  }

  forget(): void {
    rmSync(this.record, { force: true })
  }

  /** Its addresses, once it is ready. */
  ready(): LocalPlatformInfo | undefined {
    return read(this.info, Info)
  }

  lastLines(count: number): string[] {
    if (!existsSync(this.log)) return []
    return readFileSync(this.log, 'utf8').trimEnd().split('\n').slice(-count)
  }
}

/** The start time of a process, in the system's own format; undefined if there is no such process. */
function processStart(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return startInProc(pid)
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() ||
      undefined
    )
  } catch {
    return undefined
  }
}

/** proc(5): the state is the third field of stat and the start, in ticks since the system's, the 22nd; the name before may hold anything. */
function startInProc(pid: number): string | undefined {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z') return undefined
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return `${boot} ${fields[19]}`
}

function read<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
