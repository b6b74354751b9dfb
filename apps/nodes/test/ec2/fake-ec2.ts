import { DriverUnavailable } from '../../src/drivers/driver.js'
import type { Ec2Client, Launch } from '../../src/drivers/ec2/ec2.client.js'
import { LaunchUsed } from '../../src/drivers/ec2/launch-used.js'
import type { Ec2Instance, Ec2Volume, InstanceState, MachineResources } from '../../src/drivers/ec2/machine-resources.js'

type Changeable<T> = { -readonly [Member in keyof T]: T[Member] }
type Instance = Changeable<Ec2Instance> & { readonly machine: string; readonly token: string }
type Volume = Changeable<Ec2Volume> & { readonly machine: string }

const NEXT: Partial<Record<string, InstanceState>> = { pending: 'running', stopping: 'stopped', 'shutting-down': 'terminated' }

/**
 * A fake: what of EC2 the driver leans on. What takes Amazon a while is so far when it was described once. Whether moto and Amazon do likewise
 * it cannot know; for that the same suite runs against moto.
 */
export class FakeEc2 implements Omit<Ec2Client, 'launchInput'> {
  readonly instances: Instance[] = []
  readonly volumes: Volume[] = []
  /** What was described: one machine, or all. */
  readonly described: string[] = []
  private made = 0

  async resourcesOf(id: string): Promise<MachineResources> {
    this.described.push(id)
    return this.describe(id)
  }

  async allResources(): Promise<ReadonlyMap<string, MachineResources>> {
    this.described.push('all')
    const ids = new Set([...this.instances, ...this.volumes].map(({ machine }) => machine))
    return new Map([...ids].map((id) => [id, this.describe(id)]))
  }

  async imageFor({ amiPrefix = '' }: { amiPrefix?: string }): Promise<string | undefined> {
    return amiPrefix.includes('unknown') ? undefined : 'ami-1'
  }

  async snapshotFor(): Promise<string | undefined> {
    return undefined
  }

  /** Asked twice, it makes one. */
  async createVolume(machine: string, sizeGiB: number): Promise<void> {
    if (this.volumes.some((volume) => volume.machine === machine && volume.state !== 'deleting')) return
    this.volumes.push({ machine, id: `vol-${++this.made}`, state: 'creating', createdAt: this.made, sizeGiB, launch: 1 })
  }

  async launch({ id: machine, number, spec, imageId, type }: Launch): Promise<void> {
    const token = `${machine}/${number}`
    const known = this.instances.find((instance) => instance.token === token)
    if (known?.state === 'terminated') throw new LaunchUsed('EC2 knows this launch of an instance that is gone.')
    if (known) return
    const made = ++this.made
    const privateIp = `10.0.${made >> 8}.${made & 255}`
    const common = { machine, token, spec, imageId, type, privateIp, launch: number, stoppedByUs: false, launchedAt: made }
    this.instances.push({ ...common, id: `i-${made}`, state: 'pending' })
  }

  async numberLaunch(id: string, launch: number): Promise<void> {
    this.volume(id).launch = launch
  }

  async attach(id: string, instance: string): Promise<void> {
    const volume = this.volume(id, 'available')
    volume.attachedTo = this.instance(instance, 'running', 'stopped').id
    volume.state = 'in-use'
  }

  async resize(id: string, sizeGiB: number): Promise<void> {
    this.volume(id).sizeGiB = sizeGiB
  }

  async deleteVolume(id: string): Promise<void> {
    this.volume(id, 'available').state = 'deleting'
  }

  async start(id: string): Promise<void> {
    Object.assign(this.instance(id, 'stopped'), { state: 'pending', stoppedByUs: false })
  }

  async stop(id: string): Promise<void> {
    Object.assign(this.instance(id, 'running', 'stopping', 'stopped'), { state: 'stopping', stoppedByUs: true })
  }

  async terminate(id: string): Promise<void> {
    const instance = this.instance(id)
    if (instance.state !== 'terminated') instance.state = 'shutting-down'
  }

  async console(): Promise<string> {
    return 'it begins\r\nand goes on\r\n'
  }

  close(): void {}

  running(machine: string): Instance[] {
    return this.instances.filter((instance) => instance.machine === machine && instance.state === 'running')
  }

  /** Of what machines there is anything that costs something. */
  left(): string[] {
    const living = this.instances.filter(({ state }) => state !== 'terminated')
    return [...new Set([...living, ...this.volumes].map(({ machine }) => machine))].sort()
  }

  private describe(id: string): MachineResources {
    const ofMachine = <T extends { machine: string }>(all: readonly T[]) => all.filter(({ machine }) => machine === id)
    const [instances, volumes] = [ofMachine(this.instances), ofMachine(this.volumes)]
    const seen = structuredClone({ instances, volumes })
    for (const instance of instances) this.advance(instance)
    for (const volume of volumes) {
      if (volume.state === 'creating') volume.state = 'available'
      if (volume.state === 'deleting') this.volumes.splice(this.volumes.indexOf(volume), 1)
    }
    return seen
  }

  private advance(instance: Instance): void {
    instance.state = NEXT[instance.state] ?? instance.state
    if (instance.state !== 'terminated') return
    for (const volume of this.volumes.filter(({ attachedTo }) => attachedTo === instance.id))
      Object.assign(volume, { attachedTo: undefined, state: 'available' })
  }

  private instance(id: string, ...states: InstanceState[]): Instance {
    return found(this.instances, id, states)
  }

  private volume(id: string, ...states: string[]): Volume {
    return found(this.volumes, id, states)
  }
}

function found<T extends { readonly id: string; readonly state: string }>(all: readonly T[], id: string, states: readonly string[]): T {
  const one = all.find((each) => each.id === id)
  if (!one) throw new DriverUnavailable(`EC2 refuses: NotFound: ${id}`)
  if (states.length > 0 && !states.includes(one.state)) throw new DriverUnavailable(`EC2 refuses: IncorrectState: ${id} is ${one.state}`)
  return one
}
