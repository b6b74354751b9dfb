import type { OnApplicationShutdown } from '@nestjs/common'
import { type Blueprint, familyOf } from '../../catalogue/blueprint.js'
import { type DesiredMachine, type DriverName, type DriverVendor, NodeDriver, type ObservedMachine } from '../driver.js'
import { ExitWatcher } from './exit-watcher.engine.js'
import { LauncherService, LOOPBACK, type LocalParts } from './launcher.service.js'
import type { LocalSettings } from './local-settings.js'
import { unlessLocked } from './lock.engine.js'
import { MachineFolders } from './machine-folders.engine.js'
import { Processes } from './processes.engine.js'
import { Programs } from './programs.engine.js'
import { crashesOf, crashReport, type MachineRecord, type ProcessIdentity, type ProcessRecord } from './records.js'
import { Storage } from './storage.engine.js'

const MIN_FREE_BYTES = 2 ** 30

export function localParts(settings: LocalSettings): LocalParts {
  const folders = new MachineFolders(settings.dataDir, settings.installation)
  return { folders, processes: new Processes(), programs: new Programs(settings), storage: new Storage() }
}

/** The state of a machine at one moment. */
interface LocalState {
  readonly record: MachineRecord
  readonly started?: ProcessRecord
  /** Its process, recorded or not; more than one only after a crash of the service at the worst moment. */
  readonly living: readonly ProcessIdentity[]
}

/** Machines are processes on this host, each with a folder. They outlive this service, which finds them again. */
export class LocalDriver extends NodeDriver implements OnApplicationShutdown {
  readonly name: DriverName = 'local'
  readonly vendor: DriverVendor = { name: 'local', region: 'local', subnet: 'loopback', securityGroups: [] }
  override readonly nodePorts: readonly [number, number]
  private readonly exits: ExitWatcher
  private readonly launcher: LauncherService

  constructor(
    settings: LocalSettings,
    private readonly parts: LocalParts = localParts(settings),
  ) {
    super()
    this.nodePorts = settings.nodePorts
    this.exits = new ExitWatcher(parts.processes)
    this.launcher = new LauncherService(settings, parts, (id) => this.exits.notify(id))
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
    const state = await this.inspect(id)
    if (!state) return (await this.hasRemains(id)) ? { running: false, matches: false } : undefined
    const { record, started, living } = state
    const [process] = living
    if (process) this.exits.watch(id, { identity: process, folder })
    await storage.rotateLog(log)
    const diskBytes = await storage.bytesIn(folder, Date.now())
    return {
      running: process !== undefined,
      matches: !process || this.launcher.isStartedWith(machine, record, started),
      address: { host: LOOPBACK, port: record.ports.rpc },
      ...(this.canCluster(blueprint) && { peerAddress: { host: LOOPBACK, port: record.ports.p2p } }),
      instance: { region: 'local', id, imageId: started?.release ?? blueprint.software, type: blueprint.instanceType },
      problem: machine.running ? await this.problemOf(machine, state) : undefined,
      diskBytes,
      storageFull: isTooLarge(blueprint, diskBytes) || (await storage.freeBytes(folder)) < MIN_FREE_BYTES,
    }
  }

  async apply(machine: DesiredMachine): Promise<void> {
    // Whoever holds the lock takes the step.
    await unlessLocked(this.parts.folders.paths(machine.id).folder, () => this.step(machine))
  }

  async remove(id: string): Promise<void> {
    const { folders, storage } = this.parts
    const { folder } = folders.paths(id)
    await unlessLocked(folder, async () => {
      // Rejects if it belongs to another installation.
      await folders.read(id)
      // Killed: what it has not written yet is no longer needed.
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
    this.exits.listen(listener)
  }

  /** The machines keep running. */
  onApplicationShutdown(): void {
    this.exits.stop()
  }

  private async step(machine: DesiredMachine): Promise<void> {
    const { folders, processes, storage } = this.parts
    const { id, blueprint } = machine
    const { folder } = folders.paths(id)
    const state = await this.inspect(id, { everywhere: true })
    // The folder was removed under a running process: it must not run beside the next one.
    if (!state && (await this.kill(id))) return
    const { record, started, living } = state ?? { record: await this.launcher.createFolder(machine), living: [] }
    const [process, surplus] = living
    if (surplus) return processes.signal(surplus, folder, 'SIGKILL')
    const mayRun = machine.running && !isTooLarge(blueprint, await storage.bytesIn(folder, Date.now()))
    if (!process) return mayRun ? this.launcher.start(machine, record, started) : undefined
    const known = await this.record(id, started, process)
    if (!mayRun || !this.launcher.isStartedWith(machine, record, known)) await this.launcher.stop(machine, known, process)
  }

  private async hasRemains(id: string): Promise<boolean> {
    const { folders, processes } = this.parts
    return (await folders.isIncomplete(id)) || (await processes.findByFolder(folders.paths(id).folder)).length > 0
  }

  /** Whether there was a process to kill. */
  private async kill(id: string): Promise<boolean> {
    const { folders, processes } = this.parts
    const { folder } = folders.paths(id)
    const living = await processes.findByFolder(folder)
    for (const each of living) await processes.signal(each, folder, 'SIGKILL')
    return living.length > 0
  }

  /** `everywhere`: also finds processes that were not recorded, which reads every process of the host. */
  private async inspect(id: string, { everywhere = false } = {}): Promise<LocalState | undefined> {
    const { folders, processes } = this.parts
    const record = await folders.read(id)
    if (!record) return undefined
    const started = await folders.readProcess(id)
    const { folder } = folders.paths(id)
    if (started?.identity && (await processes.isAlive(started.identity, folder))) return { record, started, living: [started.identity] }
    const wasInterrupted = started !== undefined && started.identity === undefined
    return { record, started, living: everywhere || wasInterrupted ? await processes.findByFolder(folder) : [] }
  }

  /** Records a process that was found without a record. */
  private async record(id: string, started: ProcessRecord | undefined, identity: ProcessIdentity): Promise<ProcessRecord> {
    if (started?.identity?.pid === identity.pid && started.identity.startTime === identity.startTime) return started
    const { bootId } = identity
    const unknown = { bootId, fingerprint: '', startedAt: Date.now(), accidents: [], release: '' }
    const known: ProcessRecord = { ...(started && !started.identity ? started : unknown), identity }
    await this.parts.folders.writeProcess(id, known)
    return known
  }

  private async problemOf({ id, blueprint }: DesiredMachine, { started, living }: LocalState): Promise<string | undefined> {
    const { folders, processes, storage } = this.parts
    const { folder, log } = folders.paths(id)
    const [bootId, now] = [await processes.bootId(), Date.now()]
    if (isTooLarge(blueprint, await storage.bytesIn(folder, now))) {
      return `Its data exceeds its disk size of ${blueprint.diskGiB} GiB: it does not run.`
    }
    const isRunning = living.length > 0
    const crashes = isRunning ? (started?.accidents ?? []) : crashesOf(started, bootId, now)
    return crashReport(blueprint.daemon, crashes, { now, isRunning, lastLine: (await storage.logLines(log, 1))[0] })
  }
}

function isTooLarge({ diskGiB }: Blueprint, bytes: number): boolean {
  return bytes > diskGiB * 2 ** 30
}
