// What there is of a machine on EC2, and which step comes next: rules only.

export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'shutting-down' | 'terminated'

export interface SeenInstance {
  readonly id: string
  readonly state: InstanceState
  readonly launchedAt: number
  /** What it was made of: a fingerprint. */
  readonly spec: string
  /** The number of the launch that it came from. */
  readonly launch: number
  /** Whether we stopped it. */
  readonly stoppedByUs: boolean
  readonly privateIp?: string
  readonly imageId: string
  readonly type: string
  /** In Amazon's words, why it is in its state. */
  readonly reason?: string
}

export interface SeenVolume {
  readonly id: string
  readonly state: string
  readonly createdAt: number
  readonly sizeGiB: number
  /** The number of the launch that is to use it; grows by one before an instance is given up, so that no launch is taken for an earlier one. */
  readonly launch: number
  readonly attachedTo?: string
}

export interface Fleet {
  readonly instances: readonly SeenInstance[]
  readonly volumes: readonly SeenVolume[]
}

export interface Goal {
  readonly running: boolean
  readonly spec: string
  readonly sizeGiB: number
}

export type Step =
  | { readonly do: 'nothing' }
  /** Amazon is at it; `change`: on the way to what is wanted it is not yet that. */
  | { readonly do: 'wait'; readonly change: boolean }
  | { readonly do: 'create-volume' }
  | { readonly do: 'delete-volume' | 'resize-volume'; readonly volume: string }
  | { readonly do: 'number-launch'; readonly volume: string; readonly launch: number }
  | { readonly do: 'launch'; readonly launch: number }
  | { readonly do: 'attach'; readonly volume: string; readonly instance: string }
  | { readonly do: 'start' | 'stop' | 'terminate'; readonly instance: string }

/** Whatever was broken off where: the one step that is next, of what there is alone. */
export function nextStep(fleet: Fleet, goal: Goal): Step {
  const { volume, instance, surplus } = sortOut(fleet)
  if (surplus) return surplus
  if (!volume) return { do: 'create-volume' }
  if (!instance) return stepWithout(fleet, volume, goal)
  const isOther = instance.launch !== volume.launch || (goal.running && instance.spec !== goal.spec)
  if (isOther) return stepToReplace(instance, volume)
  return goal.running ? stepToRun(instance, volume, goal) : stepToStop(instance)
}

/** Towards nothing; undefined: there is nothing. */
export function nextStepToRemove({ instances, volumes }: Fleet): Step | undefined {
  const living = instances.filter(isAlive)
  const running = living.find(({ state }) => state !== 'shutting-down')
  if (running) return { do: 'terminate', instance: running.id }
  if (living.length > 0) return { do: 'wait', change: true }
  const volume = volumes.find(({ state }) => state !== 'deleting')
  // Amazon takes it from what is terminated by itself.
  if (volume) return volume.state === 'in-use' ? { do: 'wait', change: true } : { do: 'delete-volume', volume: volume.id }
  return volumes.length > 0 ? { do: 'wait', change: true } : undefined
}

export function isAlive({ state }: SeenInstance): boolean {
  return state !== 'terminated'
}

/** Those that count of several, the same for whoever looks; others there are where an answer was lost. */
export function sortOut({ instances, volumes }: Fleet): { volume?: SeenVolume; instance?: SeenInstance; surplus?: Step } {
  const living = instances.filter(isAlive)
  const usable = volumes.filter(({ state }) => state !== 'deleting')
  const ofInstance = usable.filter(({ attachedTo }) => living.some(({ id }) => id === attachedTo))
  const [volume] = oldestFirst(ofInstance.length > 0 ? ofInstance : usable, ({ createdAt }) => createdAt)
  const withVolume = living.filter(({ id }) => id === volume?.attachedTo)
  const [instance] = oldestFirst(withVolume.length > 0 ? withVolume : living, ({ launchedAt }) => launchedAt)
  return { volume, instance, surplus: surplusOf(living, instance) ?? surplusVolume(usable, volume) }
}

function surplusOf(living: readonly SeenInstance[], kept?: SeenInstance): Step | undefined {
  const other = living.find((each) => each !== kept && each.state !== 'shutting-down')
  return other && { do: 'terminate', instance: other.id }
}

function surplusVolume(usable: readonly SeenVolume[], kept?: SeenVolume): Step | undefined {
  const other = usable.find((each) => each !== kept && each.state === 'available')
  return other && { do: 'delete-volume', volume: other.id }
}

function stepWithout({ instances }: Fleet, volume: SeenVolume, { running }: Goal): Step {
  if (volume.state === 'creating') return { do: 'wait', change: false }
  if (!running) return { do: 'nothing' }
  // It is gone: whoever asks for the same launch again is told of that one.
  const isUsed = instances.some(({ launch }) => launch === volume.launch)
  return isUsed ? numberLaunch(volume) : { do: 'launch', launch: volume.launch }
}

/** It may write for long until it ends: it is stopped in peace before it is given up. */
function stepToReplace(instance: SeenInstance, volume: SeenVolume): Step {
  switch (instance.state) {
    case 'running':
      return { do: 'stop', instance: instance.id }
    case 'stopped':
      return instance.launch === volume.launch ? numberLaunch(volume) : { do: 'terminate', instance: instance.id }
    default:
      return { do: 'wait', change: true }
  }
}

function stepToRun(instance: SeenInstance, volume: SeenVolume, { sizeGiB }: Goal): Step {
  if (instance.state === 'shutting-down') return { do: 'wait', change: true }
  if (instance.state === 'stopped') return { do: 'start', instance: instance.id }
  if (instance.state !== 'running') return { do: 'wait', change: false }
  if (!volume.attachedTo && volume.state === 'available') return { do: 'attach', volume: volume.id, instance: instance.id }
  if (volume.attachedTo !== instance.id) return { do: 'wait', change: true }
  return volume.sizeGiB < sizeGiB ? { do: 'resize-volume', volume: volume.id } : { do: 'nothing' }
}

function stepToStop({ state, id }: SeenInstance): Step {
  if (state === 'running') return { do: 'stop', instance: id }
  return state === 'stopped' ? { do: 'nothing' } : { do: 'wait', change: false }
}

function numberLaunch({ id, launch }: SeenVolume): Step {
  return { do: 'number-launch', volume: id, launch: launch + 1 }
}

function oldestFirst<T extends { readonly id: string }>(all: readonly T[], timeOf: (each: T) => number): T[] {
  return all.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1))
}
