import { hostname } from 'node:os'
import { Injectable } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { acquireLease, type Lease } from '@trestle/database/lease'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Pool } from 'pg'
import { NodesDatabase } from '../database.module.js'
import { machineOf, workloadOf } from '../workloads/stored-workload.js'
import type { Machine, Workload } from '../workloads/workload.js'
import type { ChangePlan } from './change-plan.js'
import { type DueWorkload, hasChanged, type ReconciledMachine, type ReconciledWorkload } from './reconciliation.js'

export interface NewMachine {
  readonly id: string
  readonly blueprint: Machine['blueprint']
  readonly sealedPassword: Buffer
}

const ADD_MACHINE = `
  INSERT INTO workload_machine (id, workload_id, blueprint, sealed_password, created_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (id) DO NOTHING`

const DRAIN = 'UPDATE workload_machine SET draining_since = $2 WHERE id = ANY($1) AND draining_since IS NULL'

const FINISH = 'UPDATE workload SET blueprint = coalesce(next_blueprint, blueprint), next_blueprint = NULL WHERE id = $1'

const EXPIRE = `
  UPDATE workload SET desired_state = 'stopped', stopped_at = $2, updated_at = $2
  WHERE id = $1 AND desired_state = 'started' AND expires_at = $3`

// A workload that its owner has changed since stays due.
const SAVE_WORKLOADS = `
  UPDATE workload SET reconcile_at = new.reconcile_at, attempts = new.attempts
  FROM jsonb_to_recordset($1) AS new (id text, reconcile_at timestamptz, attempts int, updated_at timestamptz)
  WHERE workload.id = new.id AND workload.updated_at <= new.updated_at`

const SAVE_MACHINES = `
  UPDATE workload_machine AS machine SET phase = new.phase, conditions = new.conditions, host = new.host, port = new.port, instance = new.instance,
    height = new.height, lag = new.lag, progress = new.progress, peers = new.peers, disk_bytes = new.disk_bytes, observed_at = $2
  FROM jsonb_to_recordset($1) AS new (id text, phase text, conditions jsonb, host text, port int, instance jsonb,
    height bigint, lag bigint, progress float8, peers int, disk_bytes bigint)
  WHERE machine.id = new.id`

const SAVE_UNCHANGED = 'UPDATE workload_machine SET observed_at = $2 WHERE id = ANY($1)'

const GONE = `
  UPDATE workload SET gone_at = $2, port = NULL
  WHERE id = ANY($1) AND desired_state = 'removed' AND (purge_at IS NULL OR purge_at <= $2) AND NOT EXISTS (SELECT FROM workload_machine WHERE workload_id = workload.id)`

const MAKE_DUE = `
  UPDATE workload SET reconcile_at = least(reconcile_at, now())
  WHERE id = (SELECT workload_id FROM workload_machine WHERE id = $1)`

const BY_CREATION = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]

/** What the reconciler reads, by the generated client, and what it writes under its lease, in SQL. */
@Injectable()
export class ReconcilerRepository {
  constructor(
    private readonly database: NodesDatabase,
    private readonly pool: Pool,
    private readonly broadcasts: Broadcasts,
  ) {}

  /** Waits until no other process has the lease. */
  acquire(signal: AbortSignal): Promise<Lease> {
    return acquireLease({ pool: this.pool, name: 'reconciler', holder: `${hostname()} ${process.pid}` }, signal)
  }

  async due(now: Date, { limit, except }: { limit: number; except: readonly string[] }): Promise<DueWorkload[]> {
    const rows = await this.database.workload.findMany({
      where: { goneAt: null, reconcileAt: { lte: now }, id: { notIn: [...except] } },
      include: { machines: { orderBy: BY_CREATION } },
      orderBy: { reconcileAt: 'asc' },
      take: limit,
    })
    return rows.map((row) => ({ ...workloadOf(row), attempts: row.attempts }))
  }

  /** When the next workload is due. */
  async nextDue(except: readonly string[]): Promise<Date | undefined> {
    const { _min } = await this.database.workload.aggregate({
      where: { goneAt: null, id: { notIn: [...except] } },
      _min: { reconcileAt: true },
    })
    return _min.reconcileAt ?? undefined
  }

  async apply(lease: Lease, { id }: Workload, plan: ChangePlan & { readonly made: readonly NewMachine[] }, now: Date): Promise<Machine[]> {
    await lease.transaction(this.pool, async (client) => {
      for (const { id: machineId, blueprint, sealedPassword } of plan.made) {
        await client.query(ADD_MACHINE, [machineId, id, JSON.stringify(blueprint), sealedPassword, now])
      }
      for (const { id: machineId, desiredState } of plan.transitions)
        await client.query('UPDATE workload_machine SET desired_state = $2 WHERE id = $1', [machineId, desiredState])
      await client.query(DRAIN, [plan.drain, now])
      if (plan.finish) await client.query(FINISH, [id])
    })
    this.announce(id)
    const machines = await this.database.machine.findMany({ where: { workloadId: id }, orderBy: BY_CREATION })
    return machines.map(machineOf)
  }

  /** Stops a workload that has expired, unless its TTL was extended since. */
  async expire(lease: Lease, { id, expiresAt }: Workload, now: Date): Promise<void> {
    await lease.transaction(this.pool, (client) => client.query(EXPIRE, [id, now, expiresAt]))
    this.announce(id)
  }

  async save(lease: Lease, results: readonly ReconciledWorkload[], now: Date): Promise<void> {
    const all = results.flatMap(({ machines }) => machines)
    const gone = all.filter(({ isGone }) => isGone).map(({ machine }) => machine.id)
    const changed = all.filter((each) => !each.isGone && hasChanged(each))
    const unchanged = all.filter((each) => !each.isGone && !hasChanged(each)).map(({ machine }) => machine.id)
    const removed = results.filter(({ workload }) => workload.desiredState === 'removed').map(({ workload }) => workload.id)
    await lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_WORKLOADS, [JSON.stringify(results.map(workloadRow))])
      if (changed.length > 0) await client.query(SAVE_MACHINES, [JSON.stringify(changed.map(machineRow)), now])
      if (unchanged.length > 0) await client.query(SAVE_UNCHANGED, [unchanged, now])
      if (gone.length > 0) await client.query('DELETE FROM workload_machine WHERE id = ANY($1)', [gone])
      if (removed.length > 0) await client.query(GONE, [removed, now])
    })
    for (const { workload, machines } of results) if (machines.some((each) => each.isGone || hasChanged(each))) this.announce(workload.id)
  }

  /** Makes the workload of a machine due now. */
  async makeDue(machineId: string): Promise<void> {
    await this.pool.query(MAKE_DUE, [machineId])
  }

  private announce(id: string): void {
    this.broadcasts.publish(nodeChanged, { id })
  }
}

function workloadRow({ reconcileAt, attempts, workload }: ReconciledWorkload) {
  return { id: workload.id, reconcile_at: reconcileAt, attempts, updated_at: workload.updatedAt }
}

function machineRow({ machine, observed, status }: ReconciledMachine) {
  const { diskBytes, ...readings } = status.readings
  const { phase, conditions } = status
  return { id: machine.id, phase, conditions, ...observed?.address, instance: observed?.instance, ...readings, disk_bytes: diskBytes }
}
