// The resources of a machine on EC2, and the next step to its desired state.

export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'shutting-down' | 'terminated'

export interface Ec2Instance {
  readonly id: string
  readonly state: InstanceState
  readonly launchedAt: number
  /** A fingerprint of what it was made with. */
  readonly spec: string
  /** The launch that it came from. */
  readonly launch: number
  /** Whether we stopped it. */
  readonly stoppedByUs: boolean
  readonly privateIp?: string
  readonly imageId: string
  readonly type: string
  /** EC2's reason for its state. */
  readonly reason?: string
}

export interface Ec2Volume {
  readonly id: string
  readonly state: string
  readonly createdAt: number
  readonly sizeGiB: number
  /** The launch that is to use it. Incremented before an instance is replaced, so that no launch is mistaken for an earlier one. */
  readonly launch: number
  readonly attachedTo?: string
}

export interface MachineResources {
  readonly instances: readonly Ec2Instance[]
  readonly volumes: readonly Ec2Volume[]
}

export interface Ec2Goal {
  readonly running: boolean
  readonly spec: string
  readonly sizeGiB: number
}

export type Ec2Step =
  | { readonly do: 'nothing' }
  /** EC2 is working on it; `change`: it is not configured as desired yet. */
  | { readonly do: 'wait'; readonly change: boolean }
  | { readonly do: 'create-volume' }
  | { readonly do: 'delete-volume' | 'resize-volume'; readonly volume: string }
  | { readonly do: 'number-launch'; readonly volume: string; readonly launch: number }
  | { readonly do: 'launch'; readonly launch: number }
  | { readonly do: 'attach'; readonly volume: string; readonly instance: string }
  | { readonly do: 'start' | 'stop' | 'terminate'; readonly instance: string }

/** The next step to the desired state, whatever was interrupted before. */
export function nextStep(resources: MachineResources, goal: Ec2Goal): Ec2Step {
  const { volume, instance, surplus } = selectCurrent(resources)
  if (surplus) return surplus
  if (!volume) return { do: 'create-volume' }
  if (!instance) return stepWithout(resources, volume, goal)
  const isOther = instance.launch !== volume.launch || (goal.running && instance.spec !== goal.spec)
  if (isOther) return stepToReplace(instance, volume)
  return goal.running ? stepToRun(instance, volume, goal) : stepToStop(instance)
}

/** The next step of its removal; undefined when nothing is left. */
export function nextStepToRemove({ instances, volumes }: MachineResources): Ec2Step | undefined {
  const living = instances.filter(isNotTerminated)
  const running = living.find(({ state }) => state !== 'shutting-down')
  if (running) return { do: 'terminate', instance: running.id }
  if (living.length > 0) return { do: 'wait', change: true }
  const volume = volumes.find(({ state }) => state !== 'deleting')
  // EC2 detaches it from a terminated instance by itself.
  if (volume) return volume.state === 'in-use' ? { do: 'wait', change: true } : { do: 'delete-volume', volume: volume.id }
  return volumes.length > 0 ? { do: 'wait', change: true } : undefined
}

export function isNotTerminated({ state }: Ec2Instance): boolean {
  return state !== 'terminated'
}

/** The current volume and instance; others are surplus, from requests whose answer was lost. Every replica selects the same. */
export function selectCurrent({ instances, volumes }: MachineResources): { volume?: Ec2Volume; instance?: Ec2Instance; surplus?: Ec2Step } {
  const living = instances.filter(isNotTerminated)
  const usable = volumes.filter(({ state }) => state !== 'deleting')
  const ofInstance = usable.filter(({ attachedTo }) => living.some(({ id }) => id === attachedTo))
  const [volume] = oldestFirst(ofInstance.length > 0 ? ofInstance : usable, ({ createdAt }) => createdAt)
  const withVolume = living.filter(({ id }) => id === volume?.attachedTo)
  const [instance] = oldestFirst(withVolume.length > 0 ? withVolume : living, ({ launchedAt }) => launchedAt)
  return { volume, instance, surplus: surplusOf(living, instance) ?? surplusVolume(usable, volume) }
}

function surplusOf(living: readonly Ec2Instance[], kept?: Ec2Instance): Ec2Step | undefined {
  const other = living.find((each) => each !== kept && each.state !== 'shutting-down')
  return other && { do: 'terminate', instance: other.id }
}

function surplusVolume(usable: readonly Ec2Volume[], kept?: Ec2Volume): Ec2Step | undefined {
  const other = usable.find((each) => each !== kept && each.state === 'available')
  return other && { do: 'delete-volume', volume: other.id }
}

function stepWithout({ instances }: MachineResources, volume: Ec2Volume, { running }: Ec2Goal): Ec2Step {
  if (volume.state === 'creating') return { do: 'wait', change: false }
  if (!running) return { do: 'nothing' }
  // That instance is terminated: the same launch again would answer with it.
  const isUsed = instances.some(({ launch }) => launch === volume.launch)
  return isUsed ? numberLaunch(volume) : { do: 'launch', launch: volume.launch }
}

/** Its program may need long to write its data, so it is stopped before it is terminated. */
function stepToReplace(instance: Ec2Instance, volume: Ec2Volume): Ec2Step {
  switch (instance.state) {
    case 'running':
      return { do: 'stop', instance: instance.id }
    case 'stopped':
      return instance.launch === volume.launch ? numberLaunch(volume) : { do: 'terminate', instance: instance.id }
    default:
      return { do: 'wait', change: true }
  }
}

function stepToRun(instance: Ec2Instance, volume: Ec2Volume, { sizeGiB }: Ec2Goal): Ec2Step {
  if (instance.state === 'shutting-down') return { do: 'wait', change: true }
  if (instance.state === 'stopped') return { do: 'start', instance: instance.id }
  if (instance.state !== 'running') return { do: 'wait', change: false }
  if (!volume.attachedTo && volume.state === 'available') return { do: 'attach', volume: volume.id, instance: instance.id }
  if (volume.attachedTo !== instance.id) return { do: 'wait', change: true }
  return volume.sizeGiB < sizeGiB ? { do: 'resize-volume', volume: volume.id } : { do: 'nothing' }
}

function stepToStop({ state, id }: Ec2Instance): Ec2Step {
  if (state === 'running') return { do: 'stop', instance: id }
  return state === 'stopped' ? { do: 'nothing' } : { do: 'wait', change: false }
}

function numberLaunch({ id, launch }: Ec2Volume): Ec2Step {
  return { do: 'number-launch', volume: id, launch: launch + 1 }
}

function oldestFirst<T extends { readonly id: string }>(all: readonly T[], timeOf: (each: T) => number): T[] {
  return all.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1))
}
