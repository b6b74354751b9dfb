import type { Blueprint } from '../catalogue/blueprint.js'
import { type DesiredMachineState, isInBin, type Machine, type Workload } from '../workloads/workload.js'

/** How long a draining machine may finish its calls. */
export const DRAIN_MS = 30_000

/** The changes to a workload's machines that lead to its desired state. */
export interface ChangePlan {
  /** The blueprints of new machines. */
  readonly add: readonly Blueprint[]
  /** Machines with a new desired state. */
  readonly transitions: readonly { readonly id: string; readonly desiredState: DesiredMachineState }[]
  /** Machines that get no more calls from now on. */
  readonly drain: readonly string[]
  /** Whether the change of service is complete. */
  readonly finish: boolean
}

const NOTHING: ChangePlan = { add: [], transitions: [], drain: [], finish: false }

/**
 * Only the next step: after a crash, the one after it follows from the state of that moment.
 * A change of service adds one machine, and drains an old one whenever all new ones are ready.
 */
export function planChanges(workload: Workload, machines: readonly Machine[], now: Date): ChangePlan {
  const staying = machines.filter(({ desiredState }) => desiredState !== 'gone')
  const rests = workload.desiredState === 'stopped' || isInBin(workload, now)
  if (workload.desiredState === 'removed' && !rests) return { ...NOTHING, transitions: transitionsTo(staying, 'gone') }
  if (rests) return { ...NOTHING, transitions: transitionsTo(staying, 'resting') }
  const drained = staying.filter(({ drainingSince }) => drainingSince && now.getTime() - drainingSince.getTime() >= DRAIN_MS)
  const serving = staying.filter(({ drainingSince }) => !drainingSince)
  const transitions = [...transitionsTo(serving, 'running'), ...transitionsTo(drained, 'gone')]
  return { ...NOTHING, ...planServing(workload, serving), transitions }
}

function planServing(workload: Workload, serving: readonly Machine[]): Partial<ChangePlan> {
  const { capacity, nextBlueprint, blueprint } = workload
  const target = nextBlueprint ?? blueprint
  const fitting = serving.filter(({ blueprint }) => blueprint.serviceId === target.serviceId)
  const old = serving.filter(({ blueprint }) => blueprint.serviceId !== target.serviceId)
  if (old.length > 0) return replaceOne({ target, capacity, fitting, old })
  const missing = capacity - fitting.length
  const add = Array.from({ length: Math.max(0, missing) }, () => target)
  const drain = leastNeeded(fitting, -missing)
  return { add, drain, finish: nextBlueprint ? missing <= 0 : false }
}

interface Replacement {
  readonly target: Blueprint
  readonly capacity: number
  readonly fitting: readonly Machine[]
  readonly old: readonly Machine[]
}

function replaceOne({ target, capacity, fitting, old }: Replacement): Partial<ChangePlan> {
  // Machines that are not ready go first: they serve nobody.
  const idle = old.filter(({ phase }) => phase !== 'ready')
  const count = fitting.length + old.length
  if (count > capacity) {
    const isReady = fitting.every(({ phase }) => phase === 'ready')
    return { drain: idle.length > 0 ? leastNeeded(idle, count - capacity) : leastNeeded(old, isReady ? 1 : 0) }
  }
  return { add: [target] }
}

/** The newest of those that are not ready, then the newest of all. */
function leastNeeded(machines: readonly Machine[], count: number): string[] {
  const rank = ({ phase }: Machine) => (phase === 'ready' ? 1 : 0)
  const sorted = [...machines].sort((a, b) => rank(a) - rank(b) || b.createdAt.getTime() - a.createdAt.getTime())
  return sorted.slice(0, Math.max(0, count)).map(({ id }) => id)
}

function transitionsTo(
  machines: readonly Machine[],
  desiredState: DesiredMachineState,
): { id: string; desiredState: DesiredMachineState }[] {
  return machines.filter((machine) => machine.desiredState !== desiredState).map(({ id }) => ({ id, desiredState }))
}
