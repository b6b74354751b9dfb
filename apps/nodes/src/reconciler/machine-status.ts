import { CONDITION_TYPES, type Condition, type NodePhase } from '@trestle/contracts/nodes/shapes'
import type { ObservedMachine } from '../drivers/driver.js'
import type { ProbeResult } from '../software/probe-result.js'
import type { Machine, MachineReadings } from '../workloads/workload.js'

/** What was found out about a machine. */
export interface MachineObservation {
  /** Undefined if it does not exist. */
  readonly observed?: ObservedMachine
  /** What its program reported. */
  readonly probed?: ProbeResult
  /** Why the driver or the program could not be asked. */
  readonly problem?: string
  /** The greatest height of the workload's machines. */
  readonly bestHeight: number
}

/** The observed state of a machine. */
export interface MachineStatus {
  readonly phase: NodePhase
  readonly conditions: readonly Condition[]
  readonly readings: MachineReadings
}

/** How many blocks a machine may lag behind the others and still serve. */
const MAX_LAG = 2
/** How long it may take to start before it counts as failed. */
const MAX_STARTUP_MS = 10 * 60_000

type ConditionStatus = Pick<Condition, 'status' | 'reason' | 'message'>

export function machineStatusOf(machine: Machine, observation: MachineObservation, now: Date): MachineStatus {
  const statuses = {
    Provisioned: provisioned(observation),
    Reachable: reachable(machine, observation),
    Synced: synced(observation),
    Healthy: healthy(observation),
    StorageOk: storage(observation),
  } satisfies Record<Condition['type'], ConditionStatus>
  const conditions = CONDITION_TYPES.map((type) => since(machine, { type, ...statuses[type] }, now))
  const isReady = conditions.every(({ status }) => status === 'true')
  return { phase: phaseOf(machine, observation, { isReady, now }), conditions, readings: readingsOf(machine, observation) }
}

function phaseOf(machine: Machine, observation: MachineObservation, { isReady, now }: { isReady: boolean; now: Date }): NodePhase {
  const { observed } = observation
  if (machine.desiredState === 'gone') return 'removing'
  if (machine.desiredState === 'resting') return observed?.running ? 'stopping' : 'stopped'
  if (isReady) return 'ready'
  return observed?.running ? phaseOfRunning(machine, observation) : phaseOfAbsent(machine, observation, now)
}

function phaseOfRunning({ phase }: Machine, observation: MachineObservation): NodePhase {
  const { probed } = observation
  const answers = probed !== undefined && !probed.warmingUp
  if (answers && isBehind(observation)) return 'syncing'
  // It serves, or did: its conditions say what is wrong.
  return answers || phase === 'ready' || phase === 'degraded' ? 'degraded' : 'starting'
}

function phaseOfAbsent({ createdAt }: Machine, { observed }: MachineObservation, now: Date): NodePhase {
  if (!observed) return 'pending'
  const isOverdue = now.getTime() - createdAt.getTime() > MAX_STARTUP_MS
  return observed.problem && isOverdue ? 'failed' : 'starting'
}

function provisioned({ observed, problem }: MachineObservation): ConditionStatus {
  if (!observed) return problem ? unknown('DriverUnavailable', problem) : not('NotYet', 'It will be created shortly.')
  if (observed.problem && !observed.running) return not('CannotRun', observed.problem)
  return observed.matches ? yes('Made') : not('Changing', 'It is being changed to its desired state.')
}

function reachable({ desiredState }: Machine, { observed, probed, problem }: MachineObservation): ConditionStatus {
  if (desiredState !== 'running') return not('Stopped', 'It is stopped.')
  if (!observed?.running) return not('NotRunning', observed?.problem ?? 'Its program is not running yet.')
  if (!probed) return not('NoAnswer', problem ?? 'Its program does not answer yet.')
  return probed.warmingUp ? not('WarmingUp', `Its program is starting: ${probed.warmingUp}`) : yes('Answers')
}

function synced(observation: MachineObservation): ConditionStatus {
  const { probed, bestHeight } = observation
  if (!probed || probed.warmingUp) return unknown('NoAnswer', 'Its program has not reported its height.')
  if (!isBehind(observation)) return yes('UpToDate')
  const percent = (probed.progress * 100).toFixed(1)
  const lag = Math.max(probed.lag, bestHeight - probed.height)
  const what = lag > 0 ? `${lag} blocks behind` : 'looking for peers'
  return not('Syncing', `It has ${percent} % of the chain, and is ${what}.`)
}

function isBehind({ probed, bestHeight }: MachineObservation): boolean {
  return !probed?.synced || bestHeight - probed.height > MAX_LAG
}

function healthy({ observed, probed, problem }: MachineObservation): ConditionStatus {
  if (observed?.problem) return not('Problem', observed.problem)
  if (observed?.running && probed) return yes('Runs')
  return problem ? unknown('NoAnswer', problem) : unknown('NotRunning', 'It is not running.')
}

function storage({ observed }: MachineObservation): ConditionStatus {
  if (!observed) return unknown('NotYet', 'It has no disk yet.')
  return observed.storageFull ? not('Full', 'Its disk is full or nearly full: choose a larger size.') : yes('Enough')
}

function readingsOf({ readings }: Machine, { observed, probed, bestHeight }: MachineObservation): MachineReadings {
  const diskBytes = observed ? (observed.diskBytes ?? readings.diskBytes) : undefined
  if (!probed || probed.warmingUp) return { height: readings.height, diskBytes }
  const { height, progress, peers } = probed
  return { height, lag: Math.max(probed.lag, bestHeight - height, 0), progress, peers, diskBytes }
}

/** Adds the time of the last change of status or reason; the message may change in between. */
function since({ conditions }: Machine, status: ConditionStatus & Pick<Condition, 'type'>, now: Date): Condition {
  const before = conditions.find(({ type }) => type === status.type)
  const same = before && before.status === status.status && before.reason === status.reason
  return { ...status, since: same ? before.since : now.toISOString() }
}

function yes(reason: string): ConditionStatus {
  return { status: 'true', reason, message: '' }
}

function not(reason: string, message: string): ConditionStatus {
  return { status: 'false', reason, message }
}

function unknown(reason: string, message: string): ConditionStatus {
  return { status: 'unknown', reason, message }
}
