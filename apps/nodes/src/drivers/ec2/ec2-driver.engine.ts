import type { OnApplicationShutdown } from '@nestjs/common'
import type { Blueprint } from '../../catalogue/blueprint.js'
import { isPrivateChain } from '../../software/program-setup.js'
import { type DesiredMachine, type DriverName, DriverUnavailable, type DriverVendor, NodeDriver, type ObservedMachine } from '../driver.js'
import { isMachineAddress } from './address.js'
import type { Ec2Client, Ec2Settings } from './ec2.client.js'
import { LaunchUsed } from './launch-used.js'
import {
  type Ec2Goal,
  type Ec2Instance,
  type Ec2Step,
  isNotTerminated,
  type MachineResources,
  nextStep,
  nextStepToRemove,
  selectCurrent,
} from './machine-resources.js'
import { ResourceCache } from './resource-cache.engine.js'
import { specFingerprintOf, userDataOf } from './user-data.js'

/** How often all machines are polled for changes, and how old a shared description of them may be. */
const PACE = { pollMs: 30_000, maxAgeMs: 5_000 }

/** A machine is an instance and a volume that outlives it. */
export class Ec2Driver extends NodeDriver implements OnApplicationShutdown {
  readonly name: DriverName = 'aws-ec2'
  readonly vendor: DriverVendor
  private readonly timers: NodeJS.Timeout[] = []
  private readonly cache: ResourceCache

  constructor(
    settings: Ec2Settings,
    private readonly client: Ec2Client,
    private readonly pace = PACE,
  ) {
    super()
    this.cache = new ResourceCache(client, pace.maxAgeMs)
    const { region, subnet, securityGroups } = settings
    this.vendor = { name: 'aws', region, subnet, securityGroups }
  }

  async missing(blueprint: Blueprint): Promise<string | undefined> {
    const { amiPrefix, chain, network, quickSync, software } = blueprint
    if (!amiPrefix) return `The catalogue names no machine image for ${software}.`
    if (!(await this.client.imageFor(blueprint))) return `This account has no machine image whose name begins with ${amiPrefix}.`
    if (quickSync && !(await this.client.snapshotFor(blueprint)))
      return `This account has no snapshot for quick sync: one with the tag trestle:data-of=${chain}/${network}.`
    return undefined
  }

  canCluster(blueprint: Blueprint): boolean {
    return !isPrivateChain(blueprint)
  }

  async observe(machine: DesiredMachine): Promise<ObservedMachine | undefined> {
    const resources = await this.cache.of(machine.id)
    if (nextStepToRemove(resources) === undefined) return undefined
    return this.observedOf(resources, machine)
  }

  async apply(machine: DesiredMachine): Promise<void> {
    await this.cache.changing(machine.id, () => this.step(machine))
  }

  async remove(id: string): Promise<void> {
    await this.cache.changing(id, async () => {
      const step = nextStepToRemove(await this.client.resourcesOf(id))
      if (step) await this.take(step)
    })
  }

  async *owned(): AsyncIterable<string> {
    for (const [id, resources] of await this.client.allResources()) if (nextStepToRemove(resources) !== undefined) yield id
  }

  async logs(id: string, lines: number): Promise<string[]> {
    const { instance } = selectCurrent(await this.client.resourcesOf(id))
    if (!instance || lines <= 0) return []
    const text = await this.client.console(instance.id)
    return text
      .split(/\r?\n/)
      .filter((line) => line !== '')
      .slice(-lines)
  }

  /** EC2 sends no events here: all machines of the installation are polled. */
  onChange(listener: (id: string) => void): void {
    let known: ReadonlyMap<string, string> | undefined
    const poll = async () => {
      const states = await this.cache.all().then(statesOf, () => known)
      for (const id of known && states ? changed(known, states) : []) listener(id)
      known = states
      this.timers[index] = setTimeout(poll, this.pace.pollMs).unref()
    }
    const index = this.timers.length
    this.timers.push(setTimeout(poll, 0).unref())
  }

  onApplicationShutdown(): void {
    for (const each of this.timers) clearTimeout(each)
    this.client.close()
  }

  private async step(machine: DesiredMachine): Promise<void> {
    const resources = await this.client.resourcesOf(machine.id)
    const step = nextStep(resources, goalOf(machine))
    if (step.do === 'create-volume') return this.createVolume(machine)
    if (step.do !== 'launch') return this.take(step, machine)
    await this.launch(machine, step.launch).catch((error) => {
      const { volume } = selectCurrent(resources)
      if (!(error instanceof LaunchUsed) || !volume) throw error
      return this.client.numberLaunch(volume.id, volume.launch + 1)
    })
  }

  private observedOf(resources: MachineResources, machine: DesiredMachine): ObservedMachine {
    const { instance } = selectCurrent(resources)
    const step = nextStep(resources, goalOf(machine))
    const problem = instance ? problemOf(instance) : undefined
    return {
      running: instance?.state === 'running' || instance?.state === 'stopping',
      matches: step.do === 'nothing' || step.do === 'start' || (step.do === 'wait' && !step.change),
      ...(instance && {
        instance: { region: this.vendor.region, id: instance.id, imageId: instance.imageId, type: instance.type },
        ...addressOf(instance, machine.blueprint),
      }),
      ...(problem && { problem }),
    }
  }

  private async createVolume({ id, blueprint }: DesiredMachine): Promise<void> {
    const missing = await this.missing(blueprint)
    if (missing) throw new DriverUnavailable(missing)
    const snapshot = blueprint.quickSync ? await this.client.snapshotFor(blueprint) : undefined
    await this.client.createVolume(id, blueprint.diskGiB, snapshot)
  }

  private async launch(machine: DesiredMachine, number: number): Promise<void> {
    const { id, blueprint } = machine
    const imageId = await this.client.imageFor(blueprint)
    if (!imageId) throw new DriverUnavailable((await this.missing(blueprint)) ?? 'Its machine image no longer exists.')
    const type = blueprint.instanceType
    await this.client.launch({ id, number, spec: specFingerprintOf(machine), imageId, type, userData: userDataOf(machine) })
  }

  private async take(step: Ec2Step, machine?: DesiredMachine): Promise<void> {
    switch (step.do) {
      case 'delete-volume':
        return this.client.deleteVolume(step.volume)
      case 'resize-volume':
        return this.client.resize(step.volume, machine?.blueprint.diskGiB ?? 0)
      case 'number-launch':
        return this.client.numberLaunch(step.volume, step.launch)
      case 'attach':
        return this.client.attach(step.volume, step.instance)
      case 'start':
      case 'stop':
      case 'terminate':
        return this.client[step.do](step.instance)
    }
  }
}

function goalOf(machine: DesiredMachine): Ec2Goal {
  return { running: machine.running, spec: specFingerprintOf(machine), sizeGiB: machine.blueprint.diskGiB }
}

/** The private address: the gateway is in the same network. One that is our own or the cloud's metadata service is rejected. */
function addressOf({ privateIp }: Ec2Instance, { ports }: Blueprint): Pick<ObservedMachine, 'address'> {
  const [port] = ports
  return privateIp && port && isMachineAddress(privateIp) ? { address: { host: privateIp, port } } : {}
}

function problemOf({ state, stoppedByUs, reason, privateIp }: Ec2Instance): string | undefined {
  if (privateIp && !isMachineAddress(privateIp)) return `EC2 reports the address ${privateIp}, which no machine can have.`
  if ((state === 'stopped' || state === 'stopping') && !stoppedByUs)
    return `Its instance stopped unexpectedly${reason ? `: ${reason}` : ''}.`
  return undefined
}

function statesOf(resources: ReadonlyMap<string, MachineResources>): Map<string, string> {
  const states = ({ instances, volumes }: MachineResources) =>
    [...volumes, ...instances.filter(isNotTerminated)].map(({ id, state }) => `${id} ${state}`)
  return new Map([...resources].map(([id, each]) => [id, states(each).sort().join()]))
}

function changed(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((id) => before.get(id) !== now.get(id))
}
