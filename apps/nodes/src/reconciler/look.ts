import type { Condition } from '@trestle/contracts/nodes/shapes'
import type { ObservedMachine } from '../drivers/driver.js'
import type { Machine, Workload, WorkloadWithMachines } from '../workloads/workload.js'
import type { Verdict } from './verdict.js'

/** A workload that it is time to look at. */
export interface DueWorkload extends WorkloadWithMachines {
  /** Looks in a row that failed. */
  readonly attempts: number
}

/** What came of a look at one machine. */
export interface MachineLook {
  readonly machine: Machine
  readonly observed?: ObservedMachine
  readonly verdict: Verdict
  /** It is to be gone, and nothing of it is left. */
  readonly isGone: boolean
}

/** What came of a look at a workload. */
export interface WorkloadLook {
  readonly workload: Workload
  readonly machines: readonly MachineLook[]
  /** When to look again. */
  readonly lookAt: Date
  readonly attempts: number
}

const MOVING_MS = 250
const WAITING_MS = 2_000
/** While each that stands still is looked at once, so many times it is time for some: what is looked at together is read and written together. */
const TURNS = 60
const MAX_BACKOFF_MS = 300_000

export interface Pace {
  readonly now: Date
  /** How often what stands still is looked at. */
  readonly steadyMs: number
  /** 0..1, so that a thousand that began together are not looked at together. */
  readonly spread: number
}

/** When a workload is looked at again: soon while it moves, seldom while it stands, ever more seldom while it cannot be helped. */
export function nextLook(workload: Workload, looks: readonly MachineLook[], attempts: number, { now, steadyMs, spread }: Pace): Date {
  const inMs =
    attempts > 0
      ? Math.min(MAX_BACKOFF_MS, 500 * 2 ** Math.min(attempts, 20)) * (0.5 + spread / 2)
      : paceOf(workload, looks, { now, steadyMs, spread })
  const expiresIn =
    workload.desiredState === 'started' ? Math.max(0, workload.expiresAt.getTime() - now.getTime()) : Number.POSITIVE_INFINITY
  return new Date(now.getTime() + Math.min(inMs, expiresIn))
}

function paceOf({ nextBlueprint }: Workload, looks: readonly MachineLook[], pace: Pace): number {
  const steady = msUntilTurn(pace)
  if (looks.every(({ verdict }) => verdict.phase === 'ready' || verdict.phase === 'stopped'))
    return nextBlueprint ? Math.min(MOVING_MS, steady) : steady
  // The chain takes its time.
  const slow = looks.every(({ verdict }) => ['ready', 'stopped', 'syncing', 'degraded', 'failed'].includes(verdict.phase))
  return Math.min(slow ? WAITING_MS : MOVING_MS, steady)
}

function msUntilTurn({ now, steadyMs, spread }: Pace): number {
  const turnMs = steadyMs / TURNS
  const due = now.getTime() + steadyMs * (0.75 + spread / 2)
  return Math.ceil(due / turnMs) * turnMs - now.getTime()
}

/** Whether it cannot be helped at the moment. */
export function hasFailed({ verdict }: MachineLook): boolean {
  return verdict.conditions.some(({ reason }) => reason === 'DriverUnavailable' || reason === 'CannotRun')
}

/** Whether anything of it is worth writing. */
export function hasChanged({ machine, observed, verdict }: MachineLook): boolean {
  return (
    machine.phase !== verdict.phase ||
    machine.host !== observed?.address?.host ||
    machine.port !== observed?.address?.port ||
    machine.sight.height !== verdict.sight.height ||
    machine.sight.lag !== verdict.sight.lag ||
    machine.sight.peers !== verdict.sight.peers ||
    !sameConditions(machine.conditions, verdict.conditions)
  )
}

function sameConditions(before: readonly Condition[], after: readonly Condition[]): boolean {
  return (
    before.length === after.length && before.every(({ since, message }, i) => since === after[i]?.since && message === after[i]?.message)
  )
}
