import type { ClusterAuthType, Condition, Phase } from '@trestle/contracts/nodes/shapes'
import type { Blueprint } from '../catalogue/blueprint.js'
import type { Instance } from '../drivers/driver.js'
import type { DesiredMachineState, DesiredState, Machine, Workload, WorkloadKind } from './workload.js'

/** A row of `workload`. */
export interface StoredWorkload {
  id: string
  kind: WorkloadKind
  user_id: string
  blueprint: Blueprint
  next_blueprint: Blueprint | null
  capacity: number
  desired_state: DesiredState
  alias: string | null
  auth_type: ClusterAuthType
  auth_user: string
  sealed_password: Buffer
  allowed_ips: string[]
  port: number | null
  created_at: Date
  updated_at: Date
  started_at: Date | null
  stopped_at: Date | null
  expires_at: Date
  request_hash: Buffer | null
}

/** A row of `machine`; bigint columns are read as text. */
export interface StoredMachine {
  id: string
  workload_id: string
  blueprint: Blueprint
  desired_state: DesiredMachineState
  draining_since: Date | null
  sealed_password: Buffer
  created_at: Date
  phase: Phase
  conditions: Condition[]
  host: string | null
  port: number | null
  instance: Instance | null
  height: string | null
  lag: string | null
  progress: number | null
  peers: number | null
  disk_bytes: string | null
  observed_at: Date | null
}

export function workloadOf(row: StoredWorkload): Workload {
  return {
    id: row.id,
    kind: row.kind,
    userId: row.user_id,
    blueprint: row.blueprint,
    nextBlueprint: row.next_blueprint ?? undefined,
    capacity: row.capacity,
    desiredState: row.desired_state,
    alias: row.alias ?? undefined,
    authType: row.auth_type,
    authUser: row.auth_user,
    sealedPassword: row.sealed_password,
    allowedIps: row.allowed_ips,
    port: row.port ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    startedAt: row.started_at ?? undefined,
    stoppedAt: row.stopped_at ?? undefined,
    expiresAt: row.expires_at,
    requestHash: row.request_hash ?? undefined,
  }
}

export function machineOf(row: StoredMachine): Machine {
  return {
    id: row.id,
    blueprint: row.blueprint,
    desiredState: row.desired_state,
    drainingSince: row.draining_since ?? undefined,
    sealedPassword: row.sealed_password,
    createdAt: row.created_at,
    phase: row.phase,
    conditions: row.conditions,
    host: row.host ?? undefined,
    port: row.port ?? undefined,
    instance: row.instance ?? undefined,
    sight: {
      height: numberOf(row.height),
      lag: numberOf(row.lag),
      progress: row.progress ?? undefined,
      peers: row.peers ?? undefined,
      diskBytes: numberOf(row.disk_bytes),
    },
    seenAt: row.observed_at ?? undefined,
  }
}

function numberOf(text: string | null): number | undefined {
  return text === null ? undefined : Number(text)
}
