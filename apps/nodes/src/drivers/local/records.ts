import { createHash } from 'node:crypto'
import { z } from 'zod'

/** `machine.json`: what a folder is of. */
export const MachineRecord = z.object({
  installation: z.string(),
  id: z.string(),
  /** On loopback, and of no other machine here, also while it does not run. */
  ports: z.object({ rpc: z.int(), p2p: z.int() }),
})
export type MachineRecord = z.output<typeof MachineRecord>
export type Ports = MachineRecord['ports']

/** A process, told apart from every other that has or will have its number. */
const Identity = z.object({
  pid: z.int().positive(),
  /** Field 22 of /proc/<pid>/stat: clock ticks from the start of the system to its own. */
  startTime: z.string(),
  bootId: z.string(),
})
export type Identity = z.output<typeof Identity>

/** `process.json`: how a machine's program was started last. Written before it is, for it may start and nobody be left to write down its number. */
export const ProcessRecord = z.object({
  identity: Identity.optional(),
  bootId: z.string(),
  /** Of what it was started with. */
  fingerprint: z.string(),
  startedAt: z.number(),
  /** When it was asked to end: from then on its end is no accident. */
  endingAt: z.number().optional(),
  /** When the ones before it ended by themselves, in the last ten minutes before `startedAt`. */
  accidents: z.array(z.number()),
  release: z.string(),
})
export type ProcessRecord = z.output<typeof ProcessRecord>

const ACCIDENTS_MS = 600_000
const HARMLESS_ACCIDENTS = 3
const LONGEST_PAUSE_MS = 60_000

/** Of everything that a running machine depends on. */
export function fingerprintOf(parts: { serviceId: string; software: string; args: readonly string[]; config?: string }): string {
  const { serviceId, software, args, config = '' } = parts
  return createHash('sha256')
    .update(JSON.stringify([serviceId, software, args, config]))
    .digest('hex')
}

/** Whether the process of this record, which is no more, was to end: it was told to, or the whole system did. */
export function endedAsAsked(record: ProcessRecord, bootId: string): boolean {
  return record.endingAt !== undefined || record.bootId !== bootId
}

/** Accidents that count at this moment, that of the process of this record among them: it is no more. */
export function accidentsOf(record: ProcessRecord | undefined, bootId: string, now: number): number[] {
  if (!record) return []
  const all = endedAsAsked(record, bootId) ? record.accidents : [...record.accidents, now]
  return all.filter((at) => at > now - ACCIDENTS_MS)
}

/** When a program that keeps ending by itself may be started again: at once three times in ten minutes, then ever later. */
export function nextStartAt(record: ProcessRecord | undefined, bootId: string): number {
  if (!record || endedAsAsked(record, bootId)) return 0
  const surplus = record.accidents.filter((at) => at > record.startedAt - ACCIDENTS_MS).length + 1 - HARMLESS_ACCIDENTS
  return surplus <= 0 ? 0 : record.startedAt + Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** surplus)
}

/** What people are told of accidents; undefined: nothing to tell. */
export function accidentReport(
  daemon: string,
  accidents: readonly number[],
  words: { now: number; isRunning: boolean; lastLine?: string },
) {
  const { now, isRunning, lastLine } = words
  const recent = accidents.filter((at) => at > now - ACCIDENTS_MS).length
  if (isRunning) return recent < HARMLESS_ACCIDENTS ? undefined : `${daemon} has ended by itself ${recent} times within ten minutes.`
  const times = recent > 1 ? ` ${recent} times within ten minutes` : ''
  const said = lastLine === undefined ? '' : ` The last it said: ${lastLine}`
  return recent === 0 ? undefined : `${daemon} has ended by itself${times}.${said}`
}
