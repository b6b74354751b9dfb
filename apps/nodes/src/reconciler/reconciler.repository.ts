import { hostname } from 'node:os'
import { Injectable } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { acquireLease, type Lease } from '@trestle/database/lease'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Pool, type PoolClient } from 'pg'
import { machineOf, type StoredMachine, type StoredWorkload, workloadOf } from '../workloads/stored-workload.js'
import type { Machine, Workload } from '../workloads/workload.js'
import type { ChangePlan } from './change-plan.js'
import { type DueWorkload, hasChanged, type MachineLook, type WorkloadLook } from './look.js'

export interface NewMachine {
  readonly id: string
  readonly blueprint: Machine['blueprint']
  readonly sealedPassword: Buffer
}

const DUE = 'SELECT * FROM workload WHERE gone_at IS NULL AND reconcile_at <= $1 AND id <> ALL($2) ORDER BY reconcile_at LIMIT $3'

const ADD_MACHINE = `
  INSERT INTO workload_machine (id, workload_id, blueprint, sealed_password, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING`

// A wish that came since is not put off.
const SAVE_LOOKS = `
  UPDATE workload SET reconcile_at = new.reconcile_at, attempts = new.attempts
  FROM jsonb_to_recordset($1) AS new (id text, reconcile_at timestamptz, attempts int, updated_at timestamptz)
  WHERE workload.id = new.id AND workload.updated_at <= new.updated_at`

const SAVE_MACHINES = `
  UPDATE workload_machine SET phase = new.phase, conditions = new.conditions, host = new.host, port = new.port, instance = new.instance,
    height = new.height, lag = new.lag, progress = new.progress, peers = new.peers, disk_bytes = new.disk_bytes, observed_at = $2
  FROM jsonb_to_recordset($1) AS new (id text, phase text, conditions jsonb, host text, port int, instance jsonb,
    height bigint, lag bigint, progress float8, peers int, disk_bytes bigint)
  WHERE workload_machine.id = new.id`

const SEEN = 'UPDATE workload_machine SET observed_at = $2 WHERE id = ANY($1)'

const GONE = `
  UPDATE workload SET gone_at = $2, port = NULL
  WHERE id = ANY($1) AND desired_state = 'removed' AND NOT EXISTS (SELECT FROM workload_machine WHERE workload_id = workload.id)`

/** What the reconciler reads, and what it writes under its lease. */
@Injectable()
export class ReconcilerRepository {
  constructor(
    private readonly pool: Pool,
    private readonly broadcasts: Broadcasts,
  ) {}

  /** Waits until nobody else reconciles. */
  acquire(signal: AbortSignal): Promise<Lease> {
    return acquireLease({ pool: this.pool, name: 'reconciler', holder: `${hostname()} ${process.pid}` }, signal)
  }

  /** Those it is time for, with their machines. */
  async due(now: Date, { limit, except }: { limit: number; except: readonly string[] }): Promise<DueWorkload[]> {
    const { rows } = await this.pool.query<StoredWorkload & { attempts: number }>(DUE, [now, except, limit])
    if (rows.length === 0) return []
    const machines = await this.machinesOf(rows.map(({ id }) => id))
    return rows.map((row) => ({ workload: workloadOf(row), machines: machines.get(row.id) ?? [], attempts: row.attempts }))
  }

  /** When the next one is due. */
  async nextDue(except: readonly string[]): Promise<Date | undefined> {
    const text = 'SELECT min(reconcile_at) AS at FROM workload WHERE gone_at IS NULL AND id <> ALL($1)'
    const { rows } = await this.pool.query<{ at: Date | null }>(text, [except])
    return rows[0]?.at ?? undefined
  }

  async carryOut(
    lease: Lease,
    { id }: Workload,
    plan: ChangePlan & { readonly made: readonly NewMachine[] },
    now: Date,
  ): Promise<Machine[]> {
    const machines = await lease.transaction(this.pool, async (client) => {
      for (const { id: machineId, blueprint, sealedPassword } of plan.made) {
        await client.query(ADD_MACHINE, [machineId, id, JSON.stringify(blueprint), sealedPassword, now])
      }
      for (const { id: machineId, desiredState } of plan.wish)
        await client.query('UPDATE workload_machine SET desired_state = $2 WHERE id = $1', [machineId, desiredState])
      await client.query('UPDATE workload_machine SET draining_since = $2 WHERE id = ANY($1) AND draining_since IS NULL', [plan.drain, now])
      if (plan.finish)
        await client.query('UPDATE workload SET blueprint = coalesce(next_blueprint, blueprint), next_blueprint = NULL WHERE id = $1', [id])
      return machinesOf(client, [id])
    })
    this.tell(id)
    return machines.get(id) ?? []
  }

  /** One whose time is over is stopped, once. */
  async expire(lease: Lease, { id, expiresAt }: Workload, now: Date): Promise<void> {
    const text =
      "UPDATE workload SET desired_state = 'stopped', stopped_at = $2, updated_at = $2 WHERE id = $1 AND desired_state = 'started' AND expires_at = $3"
    await lease.transaction(this.pool, (client) => client.query(text, [id, now, expiresAt]))
    this.tell(id)
  }

  async save(lease: Lease, looks: readonly WorkloadLook[], now: Date): Promise<void> {
    const all = looks.flatMap(({ machines }) => machines)
    const gone = all.filter(({ isGone }) => isGone).map(({ machine }) => machine.id)
    const rest = all.filter(({ isGone }) => !isGone)
    const changed = rest.filter(hasChanged)
    const removed = looks.filter(({ workload }) => workload.desiredState === 'removed').map(({ workload }) => workload.id)
    await lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_LOOKS, [JSON.stringify(looks.map(lookRow))])
      if (changed.length > 0) await client.query(SAVE_MACHINES, [JSON.stringify(changed.map(machineRow)), now])
      const same = rest.filter((look) => !changed.includes(look)).map(({ machine }) => machine.id)
      if (same.length > 0) await client.query(SEEN, [same, now])
      if (gone.length > 0) await client.query('DELETE FROM workload_machine WHERE id = ANY($1)', [gone])
      if (removed.length > 0) await client.query(GONE, [removed, now])
    })
    for (const { workload, machines } of looks) if (machines.some((look) => look.isGone || hasChanged(look))) this.tell(workload.id)
  }

  /** Whose this machine is, is due. */
  async lookNow(machineId: string): Promise<void> {
    const text =
      'UPDATE workload SET reconcile_at = least(reconcile_at, now()) WHERE id = (SELECT workload_id FROM workload_machine WHERE id = $1)'
    await this.pool.query(text, [machineId])
  }

  private machinesOf(ids: readonly string[]): Promise<Map<string, Machine[]>> {
    return machinesOf(this.pool, ids)
  }

  private tell(id: string): void {
    this.broadcasts.publish(nodeChanged, { id })
  }
}

async function machinesOf(client: Pool | PoolClient, ids: readonly string[]): Promise<Map<string, Machine[]>> {
  const text = 'SELECT * FROM workload_machine WHERE workload_id = ANY($1) ORDER BY created_at, id'
  const { rows } = await client.query<StoredMachine>(text, [ids])
  const machines = new Map<string, Machine[]>()
  for (const row of rows) machines.set(row.workload_id, [...(machines.get(row.workload_id) ?? []), machineOf(row)])
  return machines
}

function lookRow({ lookAt, attempts, workload }: WorkloadLook) {
  return { id: workload.id, reconcile_at: lookAt, attempts, updated_at: workload.updatedAt }
}

function machineRow({ machine, observed, verdict }: MachineLook) {
  const { phase, conditions, sight } = verdict
  const { host, port } = observed?.address ?? {}
  const { height, lag, progress, peers, diskBytes } = sight
  return {
    id: machine.id,
    phase,
    conditions,
    host,
    port,
    instance: observed?.instance,
    height,
    lag,
    progress,
    peers,
    disk_bytes: diskBytes,
  }
}
