import type { Condition, NodePhase } from '@trestle/contracts/nodes/shapes'
import type { ObservedMachine } from '../drivers/driver.js'
import { isInBin, type Machine, type Workload, type WorkloadWithMachines } from '../workloads/workload.js'
import type { MachineStatus } from './machine-status.js'

/** A workload that is due to be reconciled. */
export interface DueWorkload extends WorkloadWithMachines {
  /** Failed reconciliations in a row. */
  readonly attempts: number
}

/** The result for one machine. */
export interface ReconciledMachine {
  readonly machine: Machine
  readonly observed?: ObservedMachine
  readonly status: MachineStatus
  /** It was to be removed, and nothing of it is left. */
  readonly isGone: boolean
}

/** The result for a workload. */
export interface ReconciledWorkload {
  readonly workload: Workload
  readonly machines: readonly ReconciledMachine[]
  /** When it is due again. */
  readonly reconcileAt: Date
  readonly attempts: number
}

const CHANGING_MS = 250
const WAITING_MS = 2_000
/** Steady workloads become due in this many batches per interval, for a batch is read and written together. */
const BATCHES = 60
const MAX_BACKOFF_MS = 300_000

interface Pace {
  readonly now: Date
  /** The interval of workloads that do not change. */
  readonly steadyMs: number
  /** 0..1, random, so that workloads created together are not due together. */
  readonly spread: number
}

/** When a workload is due again: soon while it changes, at intervals while it is steady, with exponential backoff while it fails. */
export function nextReconcileAt(
  workload: Workload,
  machines: readonly ReconciledMachine[],
  attempts: number,
  { now, steadyMs, spread }: Pace,
): Date {
  const inMs =
    attempts > 0
      ? Math.min(MAX_BACKOFF_MS, 500 * 2 ** Math.min(attempts, 20)) * (0.5 + spread / 2)
      : paceOf(workload, machines, { now, steadyMs, spread })
  const untilDeadline = Math.max(0, (deadlineOf(workload, now)?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime())
  return new Date(now.getTime() + Math.min(inMs, untilDeadline))
}

/** When its desired state changes by itself: it expires, or leaves the bin. */
function deadlineOf(workload: Workload, now: Date): Date | undefined {
  if (workload.desiredState === 'started') return workload.expiresAt
  return isInBin(workload, now) ? (workload.purgeAt ?? undefined) : undefined
}

/** How soon a machine in each phase is reconciled again; syncing takes long. */
const PACES: Record<NodePhase, 'changing' | 'waiting' | 'steady'> = {
  pending: 'changing',
  starting: 'changing',
  updating: 'changing',
  stopping: 'changing',
  removing: 'changing',
  syncing: 'waiting',
  degraded: 'waiting',
  failed: 'waiting',
  ready: 'steady',
  stopped: 'steady',
}

function paceOf({ nextBlueprint }: Workload, machines: readonly ReconciledMachine[], pace: Pace): number {
  const steady = msUntilBatch(pace)
  const paces = new Set(machines.map(({ status }) => PACES[status.phase]))
  if (paces.has('changing')) return Math.min(CHANGING_MS, steady)
  if (paces.has('waiting')) return Math.min(WAITING_MS, steady)
  return nextBlueprint ? Math.min(CHANGING_MS, steady) : steady
}

function msUntilBatch({ now, steadyMs, spread }: Pace): number {
  const batchMs = steadyMs / BATCHES
  const due = now.getTime() + steadyMs * (0.75 + spread / 2)
  return Math.ceil(due / batchMs) * batchMs - now.getTime()
}

/** Whether the driver cannot make progress at the moment. */
export function hasFailed({ status }: ReconciledMachine): boolean {
  return status.conditions.some(({ reason }) => reason === 'DriverUnavailable' || reason === 'CannotRun')
}

/** Whether there is anything to write. */
export function hasChanged({ machine, observed, status }: ReconciledMachine): boolean {
  return (
    machine.phase !== status.phase ||
    machine.host !== observed?.address?.host ||
    machine.port !== observed?.address?.port ||
    machine.readings.height !== status.readings.height ||
    machine.readings.lag !== status.readings.lag ||
    machine.readings.peers !== status.readings.peers ||
    !sameConditions(machine.conditions, status.conditions)
  )
}

function sameConditions(before: readonly Condition[], after: readonly Condition[]): boolean {
  return (
    before.length === after.length && before.every(({ since, message }, i) => since === after[i]?.since && message === after[i]?.message)
  )
}
