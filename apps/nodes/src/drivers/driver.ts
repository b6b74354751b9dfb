import type { Blueprint } from '../catalogue/blueprint.js'

export type DriverName = 'local' | 'kubernetes' | 'aws-ec2'

/** What a driver is to make true of one machine. */
export interface DesiredMachine {
  /** `node-<uuid>`: what everything is named after. */
  readonly id: string
  readonly blueprint: Blueprint
  /** Or its data only. */
  readonly running: boolean
  /** The gateway calls it with user `trestle` and this; nobody else knows it. */
  readonly password: string
}

export interface Instance {
  readonly region: string
  readonly id: string
  readonly imageId: string
  readonly type: string
}

/** What there is of a machine. */
export interface ObservedMachine {
  readonly running: boolean
  /** Whether it is made of just what is wanted; where not, `apply` changes it. */
  readonly matches: boolean
  /** Where its program can be called, once that is known; whether it answers is for a probe to see. */
  readonly address?: { readonly host: string; readonly port: number }
  /** Where others of its chain can connect to it, where somebody must tell them. */
  readonly peerAddress?: { readonly host: string; readonly port: number }
  readonly instance?: Instance
  /** Why it is not what it should be, in a sentence for people. */
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
 * Makes machines. It remembers nothing that it could not find again from a machine's id, and every call may be repeated,
 * also after one that was broken off anywhere.
 */
export abstract class NodeDriver {
  abstract readonly name: DriverName
  abstract readonly vendor: DriverVendor
  /** Whether machines have own ports of this machine, given out by the service. */
  abstract readonly givesPorts: boolean
  /** What is missing here for machines of this kind, in a sentence; undefined: nothing. */
  abstract missing(blueprint: Blueprint): Promise<string | undefined>
  /** Whether several machines of this kind can follow one chain. */
  abstract canCluster(blueprint: Blueprint): boolean
  /** Undefined: nothing of it exists. */
  abstract observe(machine: DesiredMachine): Promise<ObservedMachine | undefined>
  /** Takes a step towards what is wanted; done when `observe` says so. */
  abstract apply(machine: DesiredMachine): Promise<void>
  /** Takes a step towards nothing, data included; done when `observe` answers undefined. */
  abstract remove(id: string): Promise<void>
  /** The ids of everything of this installation. */
  abstract owned(): AsyncIterable<string>
  /** The newest lines, oldest first. */
  abstract logs(id: string, lines: number): Promise<string[]>
  /** Calls the listener with a machine's id whenever something has happened to it. */
  abstract onChange(listener: (id: string) => void): void
}

/** The driver's own service is away, or will not do it: told to people, and tried again. */
export class DriverUnavailable extends Error {
  override readonly name = 'DriverUnavailable'
}
