import type { OnApplicationShutdown } from '@nestjs/common'
import { type Blueprint, familyOf } from '../../catalogue/blueprint.js'
import { type DesiredMachine, type DriverName, type DriverVendor, NodeDriver, type ObservedMachine } from '../driver.js'
import { EndWatch } from './end-watch.client.js'
import { Launcher, LOOPBACK, type LocalParts } from './launcher.service.js'
import type { LocalSettings } from './local-settings.js'
import { unlessLocked } from './lock.client.js'
import { MachineFolders } from './machine-folders.client.js'
import { Processes } from './processes.client.js'
import { Programs } from './programs.client.js'
import { accidentReport, accidentsOf, type Identity, type MachineRecord, type ProcessRecord } from './records.js'
import { Storage } from './storage.client.js'

const LEAST_FREE_BYTES = 2 ** 30

export function localParts(settings: LocalSettings): LocalParts {
  const folders = new MachineFolders(settings.dataDir, settings.installation)
  return { folders, processes: new Processes(), programs: new Programs(settings), storage: new Storage() }
}

/** What is known of a machine at one moment. */
interface Sight {
  readonly record: MachineRecord
  readonly started?: ProcessRecord
  /** Its process, whether or not it was written down; more than one only where somebody was broken off at the worst moment. */
  readonly living: readonly Identity[]
}

/** Machines that are processes of this computer, in folders of their own. They outlive this service, and are found again. */
export class LocalDriver extends NodeDriver implements OnApplicationShutdown {
  readonly name: DriverName = 'local'
  readonly vendor: DriverVendor = { name: 'local', region: 'local', subnet: 'loopback', securityGroups: [] }
  readonly givesPorts = true
  private readonly ends: EndWatch
  private readonly launcher: Launcher

  constructor(
    settings: LocalSettings,
    private readonly parts: LocalParts = localParts(settings),
  ) {
    super()
    this.ends = new EndWatch(parts.processes)
    this.launcher = new Launcher(settings, parts, (id) => this.ends.tell(id))
  }

  missing(blueprint: Blueprint): Promise<string | undefined> {
    return this.launcher.programFor(blueprint).then(
      () => undefined,
      ({ message }: Error) => message,
    )
  }

  canCluster(blueprint: Blueprint): boolean {
    return familyOf(blueprint) === 'bitcoin'
  }

  async observe(machine: DesiredMachine): Promise<ObservedMachine | undefined> {
    const { folders, storage } = this.parts
    const { id, blueprint } = machine
    const { folder, log } = folders.paths(id)
    const sight = await this.look(id)
    if (!sight) return (await this.isAnythingLeft(id)) ? { running: false, matches: false } : undefined
    const { record, started, living } = sight
    const [process] = living
    if (process) this.ends.follow(id, { identity: process, folder })
    await storage.boundLog(log)
    const diskBytes = await storage.bytesIn(folder, Date.now())
    return {
      running: process !== undefined,
      matches: !process || this.launcher.isMadeOf(machine, record, started),
      address: { host: LOOPBACK, port: record.ports.rpc },
      ...(this.canCluster(blueprint) && { peerAddress: { host: LOOPBACK, port: record.ports.p2p } }),
      instance: { region: 'local', id, imageId: started?.release ?? blueprint.software, type: blueprint.instanceType },
      problem: machine.running ? await this.problemOf(machine, sight) : undefined,
      diskBytes,
      storageFull: isTooLarge(blueprint, diskBytes) || (await storage.freeBytes(folder)) < LEAST_FREE_BYTES,
    }
  }

  async apply(machine: DesiredMachine): Promise<void> {
    // Somebody else at it takes a step as well.
    await unlessLocked(this.parts.folders.paths(machine.id).folder, () => this.step(machine))
  }

  async remove(id: string): Promise<void> {
    const { folders, storage } = this.parts
    const { folder } = folders.paths(id)
    await unlessLocked(folder, async () => {
      // Rejects where it is another installation's.
      await folders.read(id)
      // What it has not written yet is not wanted any more.
      if (await this.kill(id)) return
      await folders.remove(id)
      storage.forget(folder)
    })
  }

  owned(): AsyncIterable<string> {
    return this.parts.folders.list()
  }

  async logs(id: string, lines: number): Promise<string[]> {
    const { folders, storage } = this.parts
    return (await folders.read(id)) ? storage.logLines(folders.paths(id).log, lines) : []
  }

  onChange(listener: (id: string) => void): void {
    this.ends.listen(listener)
  }

  /** Machines go on. */
  onApplicationShutdown(): void {
    this.ends.stop()
  }

  private async step(machine: DesiredMachine): Promise<void> {
    const { folders, processes, storage } = this.parts
    const { id, blueprint } = machine
    const { folder } = folders.paths(id)
    const sight = await this.look(id, { everywhere: true })
    // Whose folder somebody has removed has nothing left to write, and must not go on beside the next one.
    if (!sight && (await this.kill(id))) return
    const { record, started, living } = sight ?? { record: await this.launcher.make(machine), living: [] }
    const [process, surplus] = living
    if (surplus) return processes.signal(surplus, folder, 'SIGKILL')
    const mayRun = machine.running && !isTooLarge(blueprint, await storage.bytesIn(folder, Date.now()))
    if (!process) return mayRun ? this.launcher.start(machine, record, started) : undefined
    const known = await this.writeDown(id, started, process)
    if (!mayRun || !this.launcher.isMadeOf(machine, record, known)) await this.launcher.end(machine, known, process)
  }

  private async isAnythingLeft(id: string): Promise<boolean> {
    const { folders, processes } = this.parts
    return (await folders.isHalfThere(id)) || (await processes.find(folders.paths(id).folder)).length > 0
  }

  /** Whether there was anything to end. */
  private async kill(id: string): Promise<boolean> {
    const { folders, processes } = this.parts
    const { folder } = folders.paths(id)
    const living = await processes.find(folder)
    for (const each of living) await processes.signal(each, folder, 'SIGKILL')
    return living.length > 0
  }

  /** `everywhere`: also what nobody wrote down, which takes a look at every process of the computer. */
  private async look(id: string, { everywhere = false } = {}): Promise<Sight | undefined> {
    const { folders, processes } = this.parts
    const record = await folders.read(id)
    if (!record) return undefined
    const started = await folders.readProcess(id)
    const { folder } = folders.paths(id)
    if (started?.identity && (await processes.isAlive(started.identity, folder))) return { record, started, living: [started.identity] }
    const isBrokenOff = started !== undefined && started.identity === undefined
    return { record, started, living: everywhere || isBrokenOff ? await processes.find(folder) : [] }
  }

  /** What was found and never written down, is from now on. */
  private async writeDown(id: string, started: ProcessRecord | undefined, identity: Identity): Promise<ProcessRecord> {
    if (started?.identity?.pid === identity.pid && started.identity.startTime === identity.startTime) return started
    const { bootId } = identity
    const unknown = { bootId, fingerprint: '', startedAt: Date.now(), accidents: [], release: '' }
    const known: ProcessRecord = { ...(started && !started.identity ? started : unknown), identity }
    await this.parts.folders.writeProcess(id, known)
    return known
  }

  private async problemOf({ id, blueprint }: DesiredMachine, { started, living }: Sight): Promise<string | undefined> {
    const { folders, processes, storage } = this.parts
    const { folder, log } = folders.paths(id)
    const [bootId, now] = [await processes.bootId(), Date.now()]
    if (isTooLarge(blueprint, await storage.bytesIn(folder, now))) {
      return `Its data are more than the ${blueprint.diskGiB} GiB that it may have: it does not run.`
    }
    const isRunning = living.length > 0
    const accidents = isRunning ? (started?.accidents ?? []) : accidentsOf(started, bootId, now)
    return accidentReport(blueprint.daemon, accidents, { now, isRunning, lastLine: (await storage.logLines(log, 1))[0] })
  }
}

function isTooLarge({ diskGiB }: Blueprint, bytes: number): boolean {
  return bytes > diskGiB * 2 ** 30
}
