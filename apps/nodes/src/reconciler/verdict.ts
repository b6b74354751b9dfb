import type { Condition, Phase } from '@trestle/contracts/nodes/shapes'
import type { ObservedMachine } from '../drivers/driver.js'
import type { ProbeResult } from '../software/probe-result.js'
import type { Machine, MachineSight } from '../workloads/workload.js'

/** What a look at a machine brought. */
export interface Findings {
  /** Undefined: there is nothing. */
  readonly observed?: ObservedMachine
  /** What its program said of itself. */
  readonly seen?: ProbeResult
  /** Why its driver, or its program, could not be asked. */
  readonly problem?: string
  /** The height of the best of those beside it. */
  readonly bestHeight: number
}

/** What is thought of it. */
export interface Verdict {
  readonly phase: Phase
  readonly conditions: readonly Condition[]
  readonly sight: MachineSight
}

/** How far behind its neighbours one may be and still serve. */
const MAX_BEHIND = 2
/** So long it may take to answer before that is called a failure. */
const PATIENCE_MS = 10 * 60_000

type Told = Pick<Condition, 'status' | 'reason' | 'message'>

export function judge(machine: Machine, findings: Findings, now: Date): Verdict {
  const told: Record<Condition['type'], Told> = {
    Provisioned: provisioned(findings),
    Reachable: reachable(machine, findings),
    Synced: synced(findings),
    Healthy: healthy(findings),
    StorageOk: storage(findings),
  }
  const conditions = Object.entries(told).map(([type, each]) => since(machine, { type: type as Condition['type'], ...each }, now))
  const isReady = conditions.every(({ status }) => status === 'true')
  return { phase: phaseOf(machine, findings, { isReady, now }), conditions, sight: sightOf(machine, findings) }
}

function phaseOf(machine: Machine, findings: Findings, { isReady, now }: { isReady: boolean; now: Date }): Phase {
  const { observed } = findings
  if (machine.desiredState === 'gone') return 'removing'
  if (machine.desiredState === 'resting') return observed?.running ? 'stopping' : 'stopped'
  if (isReady) return 'ready'
  return observed?.running ? phaseOfRunning(machine, findings) : phaseOfAbsent(machine, findings, now)
}

function phaseOfRunning({ phase }: Machine, findings: Findings): Phase {
  const { seen } = findings
  const answers = seen !== undefined && !seen.warmingUp
  if (answers && isBehind(findings)) return 'syncing'
  // It has served, or could: what ails it is told in its conditions.
  return answers || phase === 'ready' || phase === 'degraded' ? 'degraded' : 'starting'
}

function phaseOfAbsent({ createdAt }: Machine, { observed }: Findings, now: Date): Phase {
  if (!observed) return 'pending'
  const isPastPatience = now.getTime() - createdAt.getTime() > PATIENCE_MS
  return observed.problem && isPastPatience ? 'failed' : 'starting'
}

function provisioned({ observed, problem }: Findings): Told {
  if (!observed) return problem ? unknown('DriverUnavailable', problem) : not('NotYet', 'It is about to be made.')
  if (observed.problem && !observed.running) return not('CannotRun', observed.problem)
  return observed.matches ? yes('Made') : not('Changing', 'It is being changed to its desired state.')
}

function reachable({ desiredState }: Machine, { observed, seen, problem }: Findings): Told {
  if (desiredState !== 'running') return not('Stopped', 'It is stopped.')
  if (!observed?.running) return not('NotRunning', observed?.problem ?? 'Its program does not run yet.')
  if (!seen) return not('NoAnswer', problem ?? 'Its program does not answer yet.')
  return seen.warmingUp ? not('WarmingUp', `It says: ${seen.warmingUp}`) : yes('Answers')
}

function synced(findings: Findings): Told {
  const { seen, bestHeight } = findings
  if (!seen || seen.warmingUp) return unknown('NoAnswer', 'Its program has not said how far it is.')
  if (!isBehind(findings)) return yes('UpToDate')
  const percent = (seen.progress * 100).toFixed(1)
  const behind = Math.max(seen.lag, bestHeight - seen.height)
  const what = behind > 0 ? `${behind} blocks behind` : 'looking for others to learn from'
  return not('Syncing', `It has ${percent} % of the chain, and is ${what}.`)
}

function isBehind({ seen, bestHeight }: Findings): boolean {
  return !seen?.synced || bestHeight - seen.height > MAX_BEHIND
}

function healthy({ observed, seen, problem }: Findings): Told {
  if (observed?.problem) return not('Problem', observed.problem)
  if (observed?.running && seen) return yes('Runs')
  return problem ? unknown('NoAnswer', problem) : unknown('NotRunning', 'It does not run.')
}

function storage({ observed }: Findings): Told {
  if (!observed) return unknown('NotYet', 'There is none yet.')
  return observed.storageFull ? not('Full', 'Its disk is full, or nearly so: choose a larger size.') : yes('Enough')
}

function sightOf({ sight }: Machine, { observed, seen, bestHeight }: Findings): MachineSight {
  const diskBytes = observed ? (observed.diskBytes ?? sight.diskBytes) : undefined
  if (!seen || seen.warmingUp) return { height: sight.height, diskBytes }
  const { height, progress, peers } = seen
  return { height, lag: Math.max(seen.lag, bestHeight - height, 0), progress, peers, diskBytes }
}

/** With the time of its last change; the sentence may change while it lasts. */
function since({ conditions }: Machine, told: Told & Pick<Condition, 'type'>, now: Date): Condition {
  const before = conditions.find(({ type }) => type === told.type)
  const same = before && before.status === told.status && before.reason === told.reason
  return { ...told, since: same ? before.since : now.toISOString() }
}

function yes(reason: string): Told {
  return { status: 'true', reason, message: '' }
}

function not(reason: string, message: string): Told {
  return { status: 'false', reason, message }
}

function unknown(reason: string, message: string): Told {
  return { status: 'unknown', reason, message }
}
