import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { freeRange } from '../ports.js'
import { endLeftover } from '../process.js'
import { MACHINE_MARK } from './mark.js'
import type { MachinePlan } from './plan.js'

/** What devnet.json says of nodes. */
export interface MachinesInfo {
  /** What can be made here. */
  readonly images: readonly string[]
}

interface Own {
  readonly folder: string
  /** Random, and of this data folder alone. */
  readonly secret: string
  readonly ports: 'random' | 'usual'
}

/** What the service of nodes is told of this machine. */
export class Machines {
  private constructor(
    private readonly plan: MachinePlan,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  static async prepare(plan: MachinePlan, { folder, secret, ports }: Own): Promise<Machines> {
    const installation = `devnet-${Buffer.from(secret, 'base64').toString('hex', 0, 4)}`
    // The usual ones are the service's own default, or what the environment says.
    const range = ports === 'random' && { NODE_PORTS: (await freeRange(100)).join('-') }
    return new Machines(plan, { DATA_DIR: folder, INSTALLATION: installation, ...range })
  }

  env(): Record<string, string> {
    return { ...this.settings, ...this.plan.programs }
  }

  info(): MachinesInfo {
    return { images: this.plan.images }
  }
}

/** Ends the machines that have their data in this folder: they outlive the service that made them on purpose, but not the devnet. */
export async function stopMachines(folder: string): Promise<void> {
  await Promise.all(machinesIn(folder).map((pid) => endLeftover(pid, `${folder}/`, 'SIGTERM')))
}

/** Forgets all machines. */
export async function removeMachines(folder: string): Promise<void> {
  await stopMachines(folder)
  rmSync(folder, { recursive: true, force: true })
}

/** By their environment, where nobody else has the mark: a command line may name the folder only to read what is in it. */
function machinesIn(folder: string): number[] {
  // Elsewhere than on Linux there are none.
  if (!existsSync('/proc')) return []
  const mark = `${MACHINE_MARK}=${folder}/`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).some((variable) => variable.startsWith(mark)))
    .map(Number)
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    // It has ended, or is another user's.
    return []
  }
}
