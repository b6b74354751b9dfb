import type { OnApplicationShutdown } from '@nestjs/common'
import type { Blueprint } from '../../catalogue/blueprint.js'
import { isOwnChain } from '../../software/place.js'
import { type DesiredMachine, type DriverName, DriverUnavailable, type DriverVendor, NodeDriver, type ObservedMachine } from '../driver.js'
import { isMachineAddress } from './address.js'
import type { Ec2Calls, Ec2Settings } from './ec2.client.js'
import { type Fleet, type Goal, isAlive, nextStep, nextStepToRemove, type SeenInstance, type Step, sortOut } from './fleet.js'
import { FleetView } from './fleet-view.service.js'
import { LaunchUsed } from './launch-used.js'
import { specOf, userDataOf } from './user-data.js'

/** How often it is looked for what has happened, and how old what is known of all machines may be. */
const PACE = { lookMs: 30_000, viewMs: 5_000 }

/** A machine is an instance, and a volume that outlives it. */
export class Ec2Driver extends NodeDriver implements OnApplicationShutdown {
  readonly name: DriverName = 'aws-ec2'
  readonly vendor: DriverVendor
  readonly givesPorts = false
  private readonly looks: NodeJS.Timeout[] = []
  private readonly view: FleetView

  constructor(
    settings: Ec2Settings,
    private readonly calls: Ec2Calls,
    private readonly pace = PACE,
  ) {
    super()
    this.view = new FleetView(calls, pace.viewMs)
    const { region, subnet, securityGroups } = settings
    this.vendor = { name: 'aws', region, subnet, securityGroups }
  }

  async missing(blueprint: Blueprint): Promise<string | undefined> {
    const { amiPrefix, chain, network, quickSync, software } = blueprint
    if (!amiPrefix) return `The catalogue names no machine image of ${software}.`
    if (!(await this.calls.imageFor(blueprint))) return `This account has no machine image whose name begins with ${amiPrefix}.`
    if (quickSync && !(await this.calls.snapshotFor(blueprint)))
      return `This account has no snapshot to sync quickly from: one with the tag trestle:data-of, ${chain}/${network}.`
    return undefined
  }

  canCluster(blueprint: Blueprint): boolean {
    return !isOwnChain(blueprint)
  }

  async observe(machine: DesiredMachine): Promise<ObservedMachine | undefined> {
    const fleet = await this.view.of(machine.id)
    if (nextStepToRemove(fleet) === undefined) return undefined
    return this.sightOf(fleet, machine)
  }

  async apply(machine: DesiredMachine): Promise<void> {
    await this.view.changing(machine.id, () => this.step(machine))
  }

  async remove(id: string): Promise<void> {
    await this.view.changing(id, async () => {
      const step = nextStepToRemove(await this.calls.fleetOf(id))
      if (step) await this.take(step)
    })
  }

  async *owned(): AsyncIterable<string> {
    for (const [id, fleet] of await this.calls.fleets()) if (nextStepToRemove(fleet) !== undefined) yield id
  }

  async logs(id: string, lines: number): Promise<string[]> {
    const { instance } = sortOut(await this.calls.fleetOf(id))
    if (!instance || lines <= 0) return []
    const text = await this.calls.console(instance.id)
    return text
      .split(/\r?\n/)
      .filter((line) => line !== '')
      .slice(-lines)
  }

  /** EC2 tells nobody by itself: all of the installation is looked at now and then. */
  onChange(listener: (id: string) => void): void {
    let known: ReadonlyMap<string, string> | undefined
    const look = async () => {
      const states = await this.view.all().then(statesOf, () => known)
      for (const id of known && states ? changed(known, states) : []) listener(id)
      known = states
      this.looks[index] = setTimeout(look, this.pace.lookMs).unref()
    }
    const index = this.looks.length
    this.looks.push(setTimeout(look, 0).unref())
  }

  onApplicationShutdown(): void {
    for (const each of this.looks) clearTimeout(each)
    this.calls.close()
  }

  private async step(machine: DesiredMachine): Promise<void> {
    const fleet = await this.calls.fleetOf(machine.id)
    const step = nextStep(fleet, goalOf(machine))
    if (step.do === 'create-volume') return this.createVolume(machine)
    if (step.do !== 'launch') return this.take(step, machine)
    await this.launch(machine, step.launch).catch((error) => {
      const { volume } = sortOut(fleet)
      if (!(error instanceof LaunchUsed) || !volume) throw error
      return this.calls.numberLaunch(volume.id, volume.launch + 1)
    })
  }

  private sightOf(fleet: Fleet, machine: DesiredMachine): ObservedMachine {
    const { instance } = sortOut(fleet)
    const step = nextStep(fleet, goalOf(machine))
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
    const snapshot = blueprint.quickSync ? await this.calls.snapshotFor(blueprint) : undefined
    await this.calls.createVolume(id, blueprint.diskGiB, snapshot)
  }

  private async launch(machine: DesiredMachine, number: number): Promise<void> {
    const { id, blueprint } = machine
    const imageId = await this.calls.imageFor(blueprint)
    if (!imageId) throw new DriverUnavailable((await this.missing(blueprint)) ?? 'Its machine image has just gone.')
    const type = blueprint.instanceType
    await this.calls.launch({ id, number, spec: specOf(machine), imageId, type, userData: userDataOf(machine) })
  }

  private async take(step: Step, machine?: DesiredMachine): Promise<void> {
    switch (step.do) {
      case 'delete-volume':
        return this.calls.deleteVolume(step.volume)
      case 'resize-volume':
        return this.calls.resize(step.volume, machine?.blueprint.diskGiB ?? 0)
      case 'number-launch':
        return this.calls.numberLaunch(step.volume, step.launch)
      case 'attach':
        return this.calls.attach(step.volume, step.instance)
      case 'start':
      case 'stop':
      case 'terminate':
        return this.calls[step.do](step.instance)
    }
  }
}

function goalOf(machine: DesiredMachine): Goal {
  return { running: machine.running, spec: specOf(machine), sizeGiB: machine.blueprint.diskGiB }
}

/** Private, for the gateway is in the same network. An answer that sends us to ourselves, or to the cloud's metadata, is not believed. */
function addressOf({ privateIp }: SeenInstance, { ports }: Blueprint): Pick<ObservedMachine, 'address'> {
  const [port] = ports
  return privateIp && port && isMachineAddress(privateIp) ? { address: { host: privateIp, port } } : {}
}

function problemOf({ state, stoppedByUs, reason, privateIp }: SeenInstance): string | undefined {
  if (privateIp && !isMachineAddress(privateIp)) return `EC2 says that it is at ${privateIp}, where no machine can be.`
  if ((state === 'stopped' || state === 'stopping') && !stoppedByUs)
    return `Its instance has ended by itself${reason ? `: ${reason}` : ''}.`
  return undefined
}

function statesOf(fleets: ReadonlyMap<string, Fleet>): Map<string, string> {
  const states = ({ instances, volumes }: Fleet) => [...volumes, ...instances.filter(isAlive)].map(({ id, state }) => `${id} ${state}`)
  return new Map([...fleets].map(([id, fleet]) => [id, states(fleet).sort().join()]))
}

function changed(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((id) => before.get(id) !== now.get(id))
}
