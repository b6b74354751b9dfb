import { Injectable } from '@nestjs/common'
import type { Image } from '@trestle/contracts/nodes/shapes'
import { Pool } from 'pg'
import type { DaemonName } from '../catalogue/blueprint.js'
import type { LiveWorkload, MachineState } from './live-workload.js'

export interface WorkloadRow extends Pick<LiveWorkload, 'id' | 'kind' | 'desiredState' | 'network'> {
  readonly organizationId: string
  readonly userId: string
  readonly authType: 'basic' | 'jwt' | 'none'
  /** In hexadecimal, as all bytes here. */
  readonly digest: string
  readonly allowedIps: readonly string[]
  readonly chain: Image
  readonly daemon: DaemonName
  readonly machines: readonly MachineRow[]
}

export interface MachineRow extends MachineState {
  readonly id: string
  readonly isDraining: boolean
  readonly sealedPassword: string
  readonly host: string | null
  readonly port: number | null
  readonly height: number | null
}

const LIST = `
  SELECT workload.id, kind, organization_id AS "organizationId", user_id AS "userId", workload.desired_state AS "desiredState", auth_type AS "authType", encode(credentials_digest, 'hex') AS digest,
         allowed_ips AS "allowedIps", workload.blueprint->>'chain' AS chain, workload.blueprint->>'network' AS network, workload.blueprint->>'daemon' AS daemon,
         coalesce(jsonb_agg(jsonb_build_object(
           'id', machine.id, 'desiredState', machine.desired_state, 'phase', machine.phase, 'conditions', machine.conditions,
           'isDraining', machine.draining_since IS NOT NULL, 'sealedPassword', encode(machine.sealed_password, 'hex'),
           'host', machine.host, 'port', machine.port, 'height', machine.height
         ) ORDER BY machine.id) FILTER (WHERE machine.id IS NOT NULL), '[]') AS machines
    FROM workload LEFT JOIN workload_machine AS machine ON machine.workload_id = workload.id AND machine.desired_state <> 'gone'
   WHERE workload.id = ANY($1) AND workload.desired_state <> 'removed'
   GROUP BY workload.id`

const PORTS = `SELECT id, port FROM workload WHERE port IS NOT NULL AND desired_state = 'started'`

@Injectable()
export class LiveWorkloadsRepository {
  constructor(private readonly pool: Pool) {}

  async listByIds(ids: readonly string[]): Promise<WorkloadRow[]> {
    const { rows } = await this.pool.query<WorkloadRow>({ name: 'list_live_workloads', text: LIST, values: [ids] })
    return rows
  }

  /** The ports of all that are started, by id. */
  async listPorts(): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ id: string; port: number }>({ name: 'list_ports', text: PORTS })
    return new Map(rows.map(({ id, port }) => [id, port]))
  }
}
