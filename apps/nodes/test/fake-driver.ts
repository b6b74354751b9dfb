import { type Blueprint, familyOf } from '../src/catalogue/blueprint.js'
import { type DesiredMachine, type DriverName, DriverUnavailable, NodeDriver, type ObservedMachine } from '../src/drivers/driver.js'

/** The machines, which outlive the drivers that made them. */
export class FakeMachines {
  readonly machines = new Map<string, FakeMachine>()
  /** How many were ever made. */
  made = 0
  private port = 40_000

  nextPort(): number {
    return this.port++
  }
}

interface FakeMachine {
  fingerprint: string
  running: boolean
  readonly port: number
  readonly log: string[]
  accidents: number
}

/** What happens at a call of the driver: nothing, the backend refuses, or the process is killed. */
export type Fate = 'fails' | 'breaks' | undefined

/** The process of the driver was killed. */
export class DriverInterrupted extends Error {
  override readonly name = 'DriverInterrupted'
}

interface FakeOptions {
  readonly fate?: (point: string) => Fate
  /** Left out: everything can be made. */
  readonly missing?: (blueprint: Blueprint) => string | undefined
}

/** A driver whose machines are entries of a map; each of its steps may be interrupted before it, or its answer lost after it. */
export class FakeDriver extends NodeDriver {
  readonly name: DriverName = 'local'
  readonly vendor = { name: 'fake', region: 'nowhere', subnet: 'none', securityGroups: [] }
  private readonly listeners = new Set<(id: string) => void>()

  constructor(
    readonly world = new FakeMachines(),
    private readonly options: FakeOptions = {},
  ) {
    super()
  }

  async missing(blueprint: Blueprint): Promise<string | undefined> {
    return this.options.missing?.(blueprint)
  }

  canCluster(blueprint: Blueprint): boolean {
    return familyOf(blueprint) === 'bitcoin'
  }

  observe(machine: DesiredMachine): Promise<ObservedMachine | undefined> {
    return this.point('observe', () => {
      const found = this.world.machines.get(machine.id)
      if (!found) return undefined
      const { running, port } = found
      return {
        running,
        matches: found.fingerprint === fingerprintOf(machine),
        address: { host: '127.0.0.1', port },
        instance: { region: 'nowhere', id: machine.id, imageId: machine.blueprint.software, type: 'fake' },
        problem: !running && machine.running && found.accidents > 0 ? 'It exited unexpectedly.' : undefined,
        diskBytes: 0,
        storageFull: false,
      }
    })
  }

  async apply(machine: DesiredMachine): Promise<void> {
    const { id } = machine
    const missing = await this.missing(machine.blueprint)
    if (missing) throw new DriverUnavailable(missing)
    if (!this.world.machines.has(id)) await this.point('make', () => this.make(machine))
    const found = this.world.machines.get(id)
    if (!found) return
    const fingerprint = fingerprintOf(machine)
    const isOther = found.fingerprint !== fingerprint
    if (found.running && (!machine.running || isOther)) return this.point('end', () => this.change(id, { running: false }))
    if (isOther) await this.point('change', () => this.change(id, { fingerprint }))
    if (machine.running && !found.running) await this.point('start', () => this.change(id, { running: true, accidents: 0 }))
  }

  async remove(id: string): Promise<void> {
    if (this.world.machines.get(id)?.running) await this.point('end', () => this.change(id, { running: false }))
    await this.point('remove', () => this.world.machines.delete(id))
  }

  async *owned(): AsyncGenerator<string> {
    yield* await this.point('owned', () => [...this.world.machines.keys()])
  }

  logs(id: string, lines: number): Promise<string[]> {
    return this.point('logs', () => this.world.machines.get(id)?.log.toReversed().slice(0, lines).toReversed() ?? [])
  }

  onChange(listener: (id: string) => void): void {
    this.listeners.add(listener)
  }

  /** It ends by itself. */
  crash(id: string): void {
    const { accidents = 0 } = this.world.machines.get(id) ?? {}
    this.change(id, { running: false, accidents: accidents + 1 })
  }

  private make(machine: DesiredMachine): void {
    this.world.made++
    const port = this.world.nextPort()
    this.world.machines.set(machine.id, { fingerprint: fingerprintOf(machine), running: false, port, log: ['made'], accidents: 0 })
  }

  private change(id: string, change: Partial<FakeMachine>): void {
    const found = this.world.machines.get(id)
    if (!found) return
    Object.assign(found, change)
    if (change.running !== undefined) found.log.push(change.running ? 'started' : 'ended')
    for (const listener of this.listeners) listener(id)
  }

  /** Two fates: before it is done, and after it, when only its answer is lost. */
  private async point<T>(name: string, work: () => T): Promise<T> {
    this.meet(`before ${name}`)
    const result = work()
    this.meet(`after ${name}`)
    return result
  }

  private meet(point: string): void {
    const fate = this.options.fate?.(point)
    if (fate === 'fails') throw new DriverUnavailable(`It fails ${point}.`)
    if (fate === 'breaks') throw new DriverInterrupted(point)
  }
}

function fingerprintOf({ blueprint, password }: DesiredMachine): string {
  return `${blueprint.serviceId} ${blueprint.software} ${password}`
}
