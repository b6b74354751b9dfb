import type { Blueprint } from '../../catalogue/blueprint.js'
import { anvilState } from '../../software/evm.js'
import { isPrivateChain, type ProgramSetup } from '../../software/program-setup.js'
import { argsOf, configOf, graceSecondsOf } from '../../software/software.js'
import { type DesiredMachine, DriverUnavailable } from '../driver.js'
import type { LocalSettings } from './local-settings.js'
import { whenUnlocked } from './lock.engine.js'
import type { MachineFolders } from './machine-folders.engine.js'
import { areFree, findPorts } from './ports.engine.js'
import type { Processes } from './processes.engine.js'
import type { FoundProgram, Programs } from './programs.engine.js'
import {
  crashesOf,
  fingerprintOf,
  type MachinePorts,
  type MachineRecord,
  nextStartAt,
  type ProcessIdentity,
  type ProcessRecord,
} from './records.js'
import type { Storage } from './storage.engine.js'

export const LOOPBACK = '127.0.0.1'
/** No program starts with less. */
const MIN_MEMORY_MIB = 512

/** The parts that the driver works with; tests replace them. */
export interface LocalParts {
  readonly folders: MachineFolders
  readonly processes: Processes
  readonly programs: Programs
  readonly storage: Storage
}

/** Creates the folders of machines, and starts and stops their programs. */
export class LauncherService {
  constructor(
    private readonly settings: LocalSettings,
    private readonly parts: LocalParts,
    private readonly onEnd: (id: string) => void,
  ) {}

  /** Rejects with `DriverUnavailable` where the machine cannot run here. */
  async programFor(blueprint: Blueprint): Promise<FoundProgram> {
    const { chain, network } = blueprint
    if (process.platform !== 'linux') throw new DriverUnavailable('Nodes as local processes need Linux.')
    if (isPrivateChain(blueprint)) return this.parts.programs.find(blueprint)
    throw new DriverUnavailable(`The local driver runs private chains for development only, not ${network} of ${chain}.`)
  }

  async createFolder({ id, blueprint }: DesiredMachine): Promise<MachineRecord> {
    const { folders } = this.parts
    const { installation } = this.settings
    await this.programFor(blueprint)
    // One at a time, so that no two get the same port.
    return whenUnlocked(folders.root, async () => {
      const record = { installation, id, ports: await this.newPorts() }
      await folders.create(record)
      return record
    })
  }

  /** Starts the program; `before` is the record of the last start, if there was one. */
  async start(machine: DesiredMachine, record: MachineRecord, before: ProcessRecord | undefined): Promise<void> {
    const { folders, processes, storage } = this.parts
    const { id, blueprint } = machine
    const [bootId, now] = [await processes.bootId(), Date.now()]
    if (now < nextStartAt(before, bootId)) return
    const { command, release } = await this.programFor(blueprint)
    const { args, config, fingerprint } = this.rendered(machine, await this.freePortsOf(record))
    const { folder, data, log } = folders.paths(id)
    if (config !== undefined) await folders.writeConfig(id, config)
    if (blueprint.daemon === 'anvil') await storage.setAsideIfTruncated(anvilState(data))
    const next: ProcessRecord = { bootId, fingerprint, startedAt: now, accidents: crashesOf(before, bootId, now), release }
    await folders.writeProcess(id, next)
    const memoryMiB = Math.max(blueprint.memoryMiB, MIN_MEMORY_MIB)
    const identity = await processes.start({ command, args, log, memoryMiB }, folder, () => this.onEnd(id))
    await folders.writeProcess(id, { ...next, identity })
  }

  /** Sends SIGTERM, and SIGKILL once the grace period is over. */
  async stop({ id, blueprint }: DesiredMachine, started: ProcessRecord, identity: ProcessIdentity): Promise<void> {
    const { folders, processes } = this.parts
    const { folder } = folders.paths(id)
    const now = Date.now()
    if (started.endingAt === undefined) {
      // Once: geth panics at repeated signals.
      await processes.signal(identity, folder, 'SIGTERM')
      return folders.writeProcess(id, { ...started, endingAt: now })
    }
    if (now > started.endingAt + graceSecondsOf(blueprint) * 1000) await processes.signal(identity, folder, 'SIGKILL')
  }

  /** Whether its process was started with the desired configuration and is not being stopped. */
  isStartedWith(machine: DesiredMachine, { ports }: MachineRecord, started: ProcessRecord | undefined): boolean {
    const isKnown = started?.identity !== undefined && started.endingAt === undefined
    return isKnown && started.fingerprint === this.rendered(machine, ports).fingerprint
  }

  private rendered({ id, blueprint, password }: DesiredMachine, ports: MachinePorts) {
    const { data, config: configFile } = this.parts.folders.paths(id)
    const place: ProgramSetup = { dataDir: data, configFile, host: LOOPBACK, rpcPort: ports.rpc, p2pPort: ports.p2p }
    const args = argsOf(blueprint, place)
    const config = configOf(blueprint, place, password)
    const { serviceId, software } = blueprint
    return { args, config, fingerprint: fingerprintOf({ serviceId, software, args, config }) }
  }

  /** The ports it had, or new ones if another program listens on one of them now. */
  private async freePortsOf(record: MachineRecord): Promise<MachinePorts> {
    if (await areFree(record.ports)) return record.ports
    const { folders } = this.parts
    return whenUnlocked(folders.root, async () => {
      const ports = await this.newPorts()
      await folders.update({ ...record, ports })
      return ports
    })
  }

  private async newPorts(): Promise<MachinePorts> {
    const records = await this.parts.folders.readAll()
    const taken = new Set(records.flatMap(({ ports }) => [ports.rpc, ports.p2p]))
    const [first, last] = this.settings.nodePorts
    return findPorts((port) => taken.has(port) || (port >= first && port <= last))
  }
}
