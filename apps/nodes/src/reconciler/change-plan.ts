import type { Blueprint } from '../catalogue/blueprint.js'
import type { DesiredMachineState, Machine, Workload } from '../workloads/workload.js'

/** How long a machine that gets no more calls may finish those it has. */
export const DRAIN_MS = 30_000

/** What has to be written down for a workload's machines to become what is desired. */
export interface ChangePlan {
  /** Of what new ones are made. */
  readonly add: readonly Blueprint[]
  /** Those that are to be something else than before. */
  readonly wish: readonly { readonly id: string; readonly desiredState: DesiredMachineState }[]
  /** Those that get no more calls from now on. */
  readonly drain: readonly string[]
  /** The change of service is complete. */
  readonly finish: boolean
}

const NOTHING: ChangePlan = { add: [], wish: [], drain: [], finish: false }

/**
 * The next step only: whoever comes after a crash takes the one after it from what there is.
 * A change of service takes one machine more and gives up an old one whenever all new ones are ready.
 */
export function planChanges(workload: Workload, machines: readonly Machine[], now: Date): ChangePlan {
  const staying = machines.filter(({ desiredState }) => desiredState !== 'gone')
  if (workload.desiredState === 'removed') return { ...NOTHING, wish: wishing(staying, 'gone') }
  if (workload.desiredState === 'stopped') return { ...NOTHING, wish: wishing(staying, 'resting') }
  const drained = staying.filter(({ drainingSince }) => drainingSince && now.getTime() - drainingSince.getTime() >= DRAIN_MS)
  const serving = staying.filter(({ drainingSince }) => !drainingSince)
  const wish = [...wishing(serving, 'running'), ...wishing(drained, 'gone')]
  return { ...NOTHING, ...planServing(workload, serving), wish }
}

function planServing(workload: Workload, serving: readonly Machine[]): Partial<ChangePlan> {
  const { capacity, nextBlueprint, blueprint: present } = workload
  const target = nextBlueprint ?? present
  const fitting = serving.filter(({ blueprint }) => blueprint.serviceId === target.serviceId)
  const old = serving.filter(({ blueprint }) => blueprint.serviceId !== target.serviceId)
  if (old.length > 0) return replaceOne({ target, capacity, fitting, old })
  const missing = capacity - fitting.length
  const add = Array.from({ length: Math.max(0, missing) }, () => target)
  const drain = leastMissed(fitting, -missing)
  return { add, drain, finish: nextBlueprint !== undefined && missing <= 0 }
}

interface Replacement {
  readonly target: Blueprint
  readonly capacity: number
  readonly fitting: readonly Machine[]
  readonly old: readonly Machine[]
}

function replaceOne({ target, capacity, fitting, old }: Replacement): Partial<ChangePlan> {
  // What does not serve anyway is given up first, and nobody misses it.
  const idle = old.filter(({ phase }) => phase !== 'ready')
  const count = fitting.length + old.length
  if (count > capacity) {
    const isReady = fitting.every(({ phase }) => phase === 'ready')
    return { drain: idle.length > 0 ? leastMissed(idle, count - capacity) : leastMissed(old, isReady ? 1 : 0) }
  }
  return { add: [target] }
}

/** The newest of those that do not serve, then the newest of all. */
function leastMissed(machines: readonly Machine[], count: number): string[] {
  const rank = ({ phase }: Machine) => (phase === 'ready' ? 1 : 0)
  const sorted = [...machines].sort((a, b) => rank(a) - rank(b) || b.createdAt.getTime() - a.createdAt.getTime())
  return sorted.slice(0, Math.max(0, count)).map(({ id }) => id)
}

function wishing(machines: readonly Machine[], desiredState: DesiredMachineState): { id: string; desiredState: DesiredMachineState }[] {
  return machines.filter((machine) => machine.desiredState !== desiredState).map(({ id }) => ({ id, desiredState }))
}
