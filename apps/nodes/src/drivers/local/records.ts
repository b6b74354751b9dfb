import { createHash } from 'node:crypto'
import { z } from 'zod'

/** `machine.json`: the machine of a folder. */
export const MachineRecord = z.object({
  installation: z.string(),
  id: z.string(),
  /** On loopback; reserved while it does not run, too. */
  ports: z.object({ rpc: z.int(), p2p: z.int() }),
})
export type MachineRecord = z.output<typeof MachineRecord>
export type MachinePorts = MachineRecord['ports']

/** A process, distinct from every other that has or will have its pid. */
const ProcessIdentity = z.object({
  pid: z.int().positive(),
  /** Field 22 of /proc/<pid>/stat: clock ticks from the start of the system to its own. */
  startTime: z.string(),
  bootId: z.string(),
})
export type ProcessIdentity = z.output<typeof ProcessIdentity>

/** `process.json`: the last start of a machine's program. Written before the start too, in case the service is killed before it has the pid. */
export const ProcessRecord = z.object({
  identity: ProcessIdentity.optional(),
  bootId: z.string(),
  /** Of its configuration. */
  fingerprint: z.string(),
  startedAt: z.number(),
  /** When it was sent SIGTERM: from then on its exit is no crash. */
  endingAt: z.number().optional(),
  /** Times of the crashes before it, in the ten minutes before `startedAt`. Stored under this name. */
  accidents: z.array(z.number()),
  release: z.string(),
})
export type ProcessRecord = z.output<typeof ProcessRecord>

const CRASH_WINDOW_MS = 600_000
const FREE_RESTARTS = 3
const MAX_BACKOFF_MS = 60_000

/** A hash of everything that a running machine depends on. */
export function fingerprintOf(parts: { serviceId: string; software: string; args: readonly string[]; config?: string }): string {
  const { serviceId, software, args, config = '' } = parts
  return createHash('sha256')
    .update(JSON.stringify([serviceId, software, args, config]))
    .digest('hex')
}

/** Whether the process of this record, which no longer runs, was stopped: by us, or with the system. */
export function wasEndedOnPurpose(record: ProcessRecord, bootId: string): boolean {
  return record.endingAt !== undefined || record.bootId !== bootId
}

/** The recent crashes, that of this record's process, which no longer runs, among them. */
export function crashesOf(record: ProcessRecord | undefined, bootId: string, now: number): number[] {
  if (!record) return []
  const all = wasEndedOnPurpose(record, bootId) ? record.accidents : [...record.accidents, now]
  return all.filter((at) => at > now - CRASH_WINDOW_MS)
}

/** When a crashed program may be restarted: at once three times in ten minutes, then with exponential backoff. */
export function nextStartAt(record: ProcessRecord | undefined, bootId: string): number {
  if (!record || wasEndedOnPurpose(record, bootId)) return 0
  const surplus = record.accidents.filter((at) => at > record.startedAt - CRASH_WINDOW_MS).length + 1 - FREE_RESTARTS
  return surplus <= 0 ? 0 : record.startedAt + Math.min(MAX_BACKOFF_MS, 1000 * 2 ** surplus)
}

/** The problem shown to people; undefined if there is none. */
export function crashReport(daemon: string, crashes: readonly number[], state: { now: number; isRunning: boolean; lastLine?: string }) {
  const { now, isRunning, lastLine } = state
  const recent = crashes.filter((at) => at > now - CRASH_WINDOW_MS).length
  if (isRunning) return recent < FREE_RESTARTS ? undefined : `${daemon} exited unexpectedly ${recent} times within ten minutes.`
  const times = recent > 1 ? ` ${recent} times within ten minutes` : ''
  const output = lastLine === undefined ? '' : ` Its last output: ${lastLine}`
  return recent === 0 ? undefined : `${daemon} exited unexpectedly${times}.${output}`
}
