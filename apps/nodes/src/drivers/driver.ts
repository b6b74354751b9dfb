import type { Blueprint } from '../catalogue/blueprint.js'

export type DriverName = 'local' | 'kubernetes' | 'aws-ec2'

/** The desired state of one machine. */
export interface DesiredMachine {
  /** `node-<uuid>`; everything that the driver makes is named after it. */
  readonly id: string
  readonly blueprint: Blueprint
  /** False: only its data is kept. */
  readonly running: boolean
  /** The gateway's password for the user `trestle`. */
  readonly password: string
}

export interface Instance {
  readonly region: string
  readonly id: string
  readonly imageId: string
  readonly type: string
}

/** The state of a machine as its driver finds it. */
export interface ObservedMachine {
  readonly running: boolean
  /** Whether it is configured as desired; `apply` changes it where it is not. */
  readonly matches: boolean
  /** Where its program listens, once known. Whether it answers is the probe's to find out. */
  readonly address?: { readonly host: string; readonly port: number }
  /** Where peers can connect to it, if they have to be told. */
  readonly peerAddress?: { readonly host: string; readonly port: number }
  readonly instance?: Instance
  /** Why it is not in its desired state, in a sentence for people. */
  readonly problem?: string
  readonly diskBytes?: number
  readonly storageFull?: boolean
}

export interface DriverVendor {
  readonly name: string
  readonly region: string
  readonly subnet: string
  readonly securityGroups: readonly string[]
}

/**
 * Makes machines. A driver keeps no state that it could not find again from a machine's id, and every call may be repeated, also after one that
 * was interrupted anywhere.
 */
export abstract class NodeDriver {
  abstract readonly name: DriverName
  abstract readonly vendor: DriverVendor
  /** The range of ports from which the service gives each node one of its own, if it does. */
  readonly nodePorts?: readonly [first: number, last: number]
  /** Why machines of this kind cannot be made here, in a sentence; undefined if they can. */
  abstract missing(blueprint: Blueprint): Promise<string | undefined>
  /** Whether several machines of this kind can form a cluster. */
  abstract canCluster(blueprint: Blueprint): boolean
  /** Undefined if nothing of it exists. */
  abstract observe(machine: DesiredMachine): Promise<ObservedMachine | undefined>
  /** Takes the next step to the desired state; complete when `observe` says so. */
  abstract apply(machine: DesiredMachine): Promise<void>
  /** Takes the next step of removing it with its data; complete when `observe` answers undefined. */
  abstract remove(id: string): Promise<void>
  /** The ids of all machines of this installation. */
  abstract owned(): AsyncIterable<string>
  /** The newest lines, oldest first. */
  abstract logs(id: string, lines: number): Promise<string[]>
  /** Calls the listener with a machine's id whenever its state has changed. */
  abstract onChange(listener: (id: string) => void): void
}

/** The driver's backend is unavailable or refuses; shown to people, and retried. */
export class DriverUnavailable extends Error {
  override readonly name = 'DriverUnavailable'
}
