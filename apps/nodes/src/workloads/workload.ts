import { createHash } from 'node:crypto'
import type { ClusterAuthType, Condition, Phase } from '@trestle/contracts/nodes/shapes'
import type { Blueprint } from '../catalogue/blueprint.js'
import type { Instance } from '../drivers/driver.js'

export type WorkloadKind = 'node' | 'cluster'
export type DesiredState = 'started' | 'stopped' | 'removed'

/** What somebody holds: a node, or a cluster of several. */
export interface Workload {
  readonly id: string
  readonly kind: WorkloadKind
  readonly userId: string
  /** What its machines are made of. */
  readonly blueprint: Blueprint
  /** What they are being changed to. */
  readonly nextBlueprint?: Blueprint
  readonly capacity: number
  readonly desiredState: DesiredState
  readonly alias?: string
  readonly authType: ClusterAuthType
  readonly authUser: string
  readonly sealedPassword: Buffer
  readonly allowedIps: readonly string[]
  /** Its own address's, where machines of the driver have one. */
  readonly port?: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly startedAt?: Date
  readonly stoppedAt?: Date
  readonly expiresAt: Date
  readonly requestHash?: Buffer
}

export type DesiredMachineState = 'running' | 'resting' | 'gone'

/** One of its machines, and what was seen of it last. */
export interface Machine {
  readonly id: string
  readonly blueprint: Blueprint
  readonly desiredState: DesiredMachineState
  /** Since then it gets no more calls. */
  readonly drainingSince?: Date
  readonly sealedPassword: Buffer
  readonly createdAt: Date
  readonly phase: Phase
  readonly conditions: readonly Condition[]
  readonly host?: string
  readonly port?: number
  readonly instance?: Instance
  readonly sight: MachineSight
  readonly seenAt?: Date
}

export interface MachineSight {
  readonly height?: number
  readonly lag?: number
  readonly progress?: number
  readonly peers?: number
  readonly diskBytes?: number
}

/** With its machines, oldest first. */
export interface WorkloadWithMachines {
  readonly workload: Workload
  readonly machines: readonly Machine[]
}

/** How it is, as its machines are. */
export function phaseOf({ desiredState, nextBlueprint, capacity }: Workload, machines: readonly Machine[]): Phase {
  if (desiredState === 'removed') return 'removing'
  const staying = machines.filter((machine) => machine.desiredState !== 'gone')
  if (desiredState === 'stopped') return staying.every(({ phase }) => phase === 'stopped') ? 'stopped' : 'stopping'
  if (nextBlueprint) return 'updating'
  const ready = staying.filter(({ phase }) => phase === 'ready').length
  if (ready >= capacity) return 'ready'
  if (ready > 0) return 'degraded'
  return PROGRESS.find((each) => staying.some(({ phase }) => phase === each)) ?? 'pending'
}

// Of several that are not ready, the one that has come farthest speaks for all.
const PROGRESS = ['degraded', 'syncing', 'starting', 'pending', 'stopping', 'stopped', 'failed'] as const

/** What the gateway compares a caller's credentials with. */
export function credentialsDigest(user: string, password: string): Buffer {
  return createHash('sha256').update(`${user}:${password}`).digest()
}
