import { createHash } from 'node:crypto'
import type { ClusterAuthType, Condition, NodePhase } from '@trestle/contracts/nodes/shapes'
import { Problem } from '@trestle/problem/problem'
import type { Blueprint } from '../catalogue/blueprint.js'
import type { Instance } from '../drivers/driver.js'

export type WorkloadKind = 'node' | 'cluster'
type DesiredState = 'started' | 'stopped' | 'removed'

/** What somebody has: a node, or a cluster of several machines. */
export interface Workload {
  readonly id: string
  readonly kind: WorkloadKind
  /** The organization that owns it. */
  readonly organizationId: string
  /** Who created it. */
  readonly userId: string
  readonly blueprint: Blueprint
  /** What its machines are being changed to. */
  readonly nextBlueprint: Blueprint | null
  readonly capacity: number
  readonly desiredState: DesiredState
  readonly alias: string | null
  readonly authType: ClusterAuthType
  readonly authUser: string
  readonly sealedPassword: Uint8Array
  readonly allowedIps: readonly string[]
  /** Of its own address, with drivers that have one for each. */
  readonly port: number | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly startedAt: Date | null
  readonly stoppedAt: Date | null
  readonly expiresAt: Date
  /** Of a removed one: when its data is deleted. The release before deletes it at once and sets none. */
  readonly purgeAt: Date | null
  readonly requestHash: Uint8Array | null
}

/** A workload of an organization. */
export interface WorkloadKey {
  readonly organizationId: string
  readonly kind: WorkloadKind
  readonly id: string
}

/** `resting`: stopped, its data is kept. */
export type DesiredMachineState = 'running' | 'resting' | 'gone'

/** One machine of a workload, with its last observed state. */
export interface Machine {
  readonly id: string
  readonly blueprint: Blueprint
  readonly desiredState: DesiredMachineState
  /** Since when it gets no more calls. */
  readonly drainingSince?: Date
  readonly sealedPassword: Uint8Array
  readonly createdAt: Date
  readonly phase: NodePhase
  readonly conditions: readonly Condition[]
  readonly host?: string
  readonly port?: number
  readonly instance?: Instance
  readonly readings: MachineReadings
  readonly observedAt?: Date
}

export interface MachineReadings {
  readonly height?: number
  readonly lag?: number
  readonly progress?: number
  readonly peers?: number
  readonly diskBytes?: number
}

/** The machines are in the order of their creation. */
export interface WorkloadWithMachines {
  readonly workload: Workload
  readonly machines: readonly Machine[]
}

/** The phase of a workload follows from those of its machines. */
export function workloadPhaseOf({ desiredState, nextBlueprint, capacity }: Workload, machines: readonly Machine[]): NodePhase {
  const staying = machines.filter((machine) => machine.desiredState !== 'gone')
  if (desiredState === 'removed' && staying.length === 0) return 'removing'
  if (desiredState !== 'started') return staying.every(({ phase }) => phase === 'stopped') ? 'stopped' : 'stopping'
  if (nextBlueprint) return 'updating'
  const ready = staying.filter(({ phase }) => phase === 'ready').length
  if (ready >= capacity) return 'ready'
  if (ready > 0) return 'degraded'
  const [farthest] = staying.map(({ phase }) => phase).sort((a, b) => PROGRESS[b] - PROGRESS[a])
  return farthest && PROGRESS[farthest] > 0 ? farthest : 'pending'
}

// Of several machines that are not ready, the one that is farthest determines the phase; 0: never.
const PROGRESS: Record<NodePhase, number> = {
  ready: 0,
  updating: 0,
  degraded: 7,
  syncing: 6,
  starting: 5,
  pending: 4,
  stopping: 3,
  stopped: 2,
  failed: 1,
  removing: 0,
}

/** Whether it was removed and can be restored: its data is kept for a while. */
export function isInBin({ desiredState, purgeAt }: Pick<Workload, 'desiredState' | 'purgeAt'>, now: Date): boolean {
  return desiredState === 'removed' && purgeAt !== null && purgeAt > now
}

/** What the gateway compares a caller's credentials with. */
export function credentialsDigest(user: string, password: string): Buffer {
  return createHash('sha256').update(`${user}:${password}`).digest()
}

const UNKNOWN = { node: 'UnknownNode', cluster: 'UnknownCluster' } as const

export function unknownWorkload(kind: WorkloadKind): Problem {
  return new Problem('unknown', UNKNOWN[kind], `You have no such ${kind}.`)
}

/** Of another cluster of the same owner. */
export function aliasTaken(): Problem {
  return new Problem('conflict', 'AliasTaken', 'You have another cluster with this alias.')
}
