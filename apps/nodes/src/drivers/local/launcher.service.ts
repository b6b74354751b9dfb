import type { Blueprint } from '../../catalogue/blueprint.js'
import { anvilState } from '../../software/evm.js'
import { isOwnChain, type Place } from '../../software/place.js'
import { argsOf, configOf, graceSecondsOf } from '../../software/software.js'
import { type DesiredMachine, DriverUnavailable } from '../driver.js'
import type { LocalSettings } from './local-settings.js'
import { whenUnlocked } from './lock.client.js'
import type { MachineFolders } from './machine-folders.client.js'
import { areFree, findPorts } from './ports.client.js'
import type { Processes } from './processes.client.js'
import type { FoundProgram, Programs } from './programs.client.js'
import { accidentsOf, fingerprintOf, type Identity, type MachineRecord, nextStartAt, type Ports, type ProcessRecord } from './records.js'
import type { Storage } from './storage.client.js'

export const LOOPBACK = '127.0.0.1'
/** The smallest that every program starts within. */
const LEAST_MEMORY_MIB = 512

/** What the driver does its work with. */
export interface LocalParts {
  readonly folders: MachineFolders
  readonly processes: Processes
  readonly programs: Programs
  readonly storage: Storage
}

/** Makes the folders of machines, and starts and ends their programs. */
export class Launcher {
  constructor(
    private readonly settings: LocalSettings,
    private readonly parts: LocalParts,
    private readonly onEnd: (id: string) => void,
  ) {}

  /** Rejects with `DriverUnavailable` where the machine cannot be had here. */
  async programFor(blueprint: Blueprint): Promise<FoundProgram> {
    const { chain, network } = blueprint
    if (process.platform !== 'linux') throw new DriverUnavailable('Nodes on this machine itself need Linux.')
    if (isOwnChain(blueprint)) return this.parts.programs.find(blueprint)
    throw new DriverUnavailable(
      `On this machine itself there are chains of one's own only, for development, and not ${chain}'s ${network}.`,
    )
  }

  async make({ id, blueprint }: DesiredMachine): Promise<MachineRecord> {
    const { folders } = this.parts
    const { installation } = this.settings
    await this.programFor(blueprint)
    // One after the other: no two get one port.
    return whenUnlocked(folders.root, async () => {
      const record = { installation, id, ports: await this.newPorts() }
      await folders.create(record)
      return record
    })
  }

  /** Takes the place of what was started before, if anything was. */
  async start(machine: DesiredMachine, record: MachineRecord, before: ProcessRecord | undefined): Promise<void> {
    const { folders, processes, storage } = this.parts
    const { id, blueprint } = machine
    const [bootId, now] = [await processes.bootId(), Date.now()]
    if (now < nextStartAt(before, bootId)) return
    const { command, release } = await this.programFor(blueprint)
    const { args, config, fingerprint } = this.rendered(machine, await this.freePortsOf(record))
    const { folder, data, log } = folders.paths(id)
    if (config !== undefined) await folders.writeConfig(id, config)
    if (blueprint.daemon === 'anvil') await storage.putAsideHalf(anvilState(data))
    const next: ProcessRecord = { bootId, fingerprint, startedAt: now, accidents: accidentsOf(before, bootId, now), release }
    await folders.writeProcess(id, next)
    const memoryMiB = Math.max(blueprint.memoryMiB, LEAST_MEMORY_MIB)
    const identity = await processes.start({ command, args, log, memoryMiB }, folder, () => this.onEnd(id))
    await folders.writeProcess(id, { ...next, identity })
  }

  /** Asks it to end, and ends it when it has had its time. */
  async end({ id, blueprint }: DesiredMachine, started: ProcessRecord, identity: Identity): Promise<void> {
    const { folders, processes } = this.parts
    const { folder } = folders.paths(id)
    const now = Date.now()
    if (started.endingAt === undefined) {
      // Once: asked again and again, geth panics.
      await processes.signal(identity, folder, 'SIGTERM')
      return folders.writeProcess(id, { ...started, endingAt: now })
    }
    if (now > started.endingAt + graceSecondsOf(blueprint) * 1000) await processes.signal(identity, folder, 'SIGKILL')
  }

  /** Whether its process was started with just what is wanted, and is not about to end. */
  isMadeOf(machine: DesiredMachine, { ports }: MachineRecord, started: ProcessRecord | undefined): boolean {
    const isKnown = started?.identity !== undefined && started.endingAt === undefined
    return isKnown && started.fingerprint === this.rendered(machine, ports).fingerprint
  }

  private rendered({ id, blueprint, password }: DesiredMachine, ports: Ports) {
    const { data, config: configFile } = this.parts.folders.paths(id)
    const place: Place = { dataDir: data, configFile, host: LOOPBACK, rpcPort: ports.rpc, p2pPort: ports.p2p }
    const args = argsOf(blueprint, place)
    const config = configOf(blueprint, place, password)
    const { serviceId, software } = blueprint
    return { args, config, fingerprint: fingerprintOf({ serviceId, software, args, config }) }
  }

  /** The ports it had, or others where a stranger has taken one of them meanwhile. */
  private async freePortsOf(record: MachineRecord): Promise<Ports> {
    if (await areFree(record.ports)) return record.ports
    const { folders } = this.parts
    return whenUnlocked(folders.root, async () => {
      const ports = await this.newPorts()
      await folders.update({ ...record, ports })
      return ports
    })
  }

  private async newPorts(): Promise<Ports> {
    const records = await this.parts.folders.readAll()
    const taken = new Set(records.flatMap(({ ports }) => [ports.rpc, ports.p2p]))
    const [first, last] = this.settings.nodePorts
    return findPorts((port) => taken.has(port) || (port >= first && port <= last))
  }
}
