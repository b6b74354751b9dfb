import type { Condition, NodePhase } from '@trestle/contracts/nodes/shapes'
import type { Blueprint } from '../catalogue/blueprint.js'
import type { Instance } from '../drivers/driver.js'
import type { DesiredMachineState, Machine, Workload, WorkloadWithMachines } from './workload.js'

/** A row of `workload_machine`. */
interface StoredMachine {
  readonly id: string
  readonly blueprint: Blueprint
  readonly desiredState: DesiredMachineState
  readonly drainingSince: Date | null
  readonly sealedPassword: Uint8Array
  readonly createdAt: Date
  readonly phase: NodePhase
  readonly conditions: Condition[]
  readonly host: string | null
  readonly port: number | null
  readonly instance: Instance | null
  readonly height: bigint | null
  readonly lag: bigint | null
  readonly progress: number | null
  readonly peers: number | null
  readonly diskBytes: bigint | null
  readonly observedAt: Date | null
}

type WorkloadRow = Columns<Workload>
type MachineRow = Columns<StoredMachine>
/** A row as the generated client reads it: it does not know what is in text and JSON. */
type Columns<T> = Readonly<Record<keyof T, unknown>>

export function workloadOf({ machines, ...row }: WorkloadRow & { readonly machines: readonly MachineRow[] }): WorkloadWithMachines {
  return { workload: narrowed<Workload>(row), machines: machines.map(machineOf) }
}

/** Only this service writes the rows, so that they are not parsed again. */
function narrowed<T>(row: Columns<T>): T {
  return row as T
}

export function machineOf(columns: MachineRow): Machine {
  const row = narrowed<StoredMachine>(columns)
  const { id, blueprint, desiredState, sealedPassword, createdAt, phase, conditions } = row
  return {
    ...{ id, blueprint, desiredState, sealedPassword, createdAt, phase, conditions },
    drainingSince: row.drainingSince ?? undefined,
    host: row.host ?? undefined,
    port: row.port ?? undefined,
    instance: row.instance ?? undefined,
    readings: {
      height: numberOf(row.height),
      lag: numberOf(row.lag),
      progress: row.progress ?? undefined,
      peers: row.peers ?? undefined,
      diskBytes: numberOf(row.diskBytes),
    },
    observedAt: row.observedAt ?? undefined,
  }
}

function numberOf(value: bigint | null): number | undefined {
  return value === null ? undefined : Number(value)
}
