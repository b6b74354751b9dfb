import { hostname } from 'node:os'
import { Injectable } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { acquireLease, type Lease } from '@trestle/database/lease'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Pool, type PoolClient } from 'pg'
import type { Holding, Machine } from '../holdings/holding.js'
import { holdingOf, machineOf, type StoredHolding, type StoredMachine } from '../holdings/stored-holding.js'
import type { ChangePlan } from './change-plan.js'
import { type DueHolding, type HoldingLook, hasChanged, type MachineLook } from './look.js'

export interface NewMachine {
  readonly id: string
  readonly blueprint: Machine['blueprint']
  readonly sealedPassword: Buffer
}

const DUE = 'SELECT * FROM holding WHERE gone_at IS NULL AND look_at <= $1 AND id <> ALL($2) ORDER BY look_at LIMIT $3'

const ADD_MACHINE = `
  INSERT INTO machine (id, holding_id, blueprint, sealed_password, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING`

// A wish that came since is not put off.
const SAVE_LOOKS = `
  UPDATE holding SET look_at = new.look_at, attempts = new.attempts
  FROM jsonb_to_recordset($1) AS new (id text, look_at timestamptz, attempts int, updated_at timestamptz)
  WHERE holding.id = new.id AND holding.updated_at <= new.updated_at`

const SAVE_MACHINES = `
  UPDATE machine SET phase = new.phase, conditions = new.conditions, host = new.host, port = new.port, instance = new.instance,
    height = new.height, lag = new.lag, progress = new.progress, peers = new.peers, disk_bytes = new.disk_bytes, seen_at = $2
  FROM jsonb_to_recordset($1) AS new (id text, phase text, conditions jsonb, host text, port int, instance jsonb,
    height bigint, lag bigint, progress float8, peers int, disk_bytes bigint)
  WHERE machine.id = new.id`

const SEEN = 'UPDATE machine SET seen_at = $2 WHERE id = ANY($1)'

const GONE = `
  UPDATE holding SET gone_at = $2, port = NULL
  WHERE id = ANY($1) AND wanted = 'removed' AND NOT EXISTS (SELECT FROM machine WHERE holding_id = holding.id)`

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
  async due(now: Date, { limit, except }: { limit: number; except: readonly string[] }): Promise<DueHolding[]> {
    const { rows } = await this.pool.query<StoredHolding & { attempts: number }>(DUE, [now, except, limit])
    if (rows.length === 0) return []
    const machines = await this.machinesOf(rows.map(({ id }) => id))
    return rows.map((row) => ({ holding: holdingOf(row), machines: machines.get(row.id) ?? [], attempts: row.attempts }))
  }

  /** When the next one is due. */
  async nextDue(except: readonly string[]): Promise<Date | undefined> {
    const text = 'SELECT min(look_at) AS at FROM holding WHERE gone_at IS NULL AND id <> ALL($1)'
    const { rows } = await this.pool.query<{ at: Date | null }>(text, [except])
    return rows[0]?.at ?? undefined
  }

  async carryOut(
    lease: Lease,
    { id }: Holding,
    plan: ChangePlan & { readonly made: readonly NewMachine[] },
    now: Date,
  ): Promise<Machine[]> {
    const machines = await lease.transaction(this.pool, async (client) => {
      for (const { id: machineId, blueprint, sealedPassword } of plan.made) {
        await client.query(ADD_MACHINE, [machineId, id, JSON.stringify(blueprint), sealedPassword, now])
      }
      for (const { id: machineId, wanted } of plan.wish)
        await client.query('UPDATE machine SET wanted = $2 WHERE id = $1', [machineId, wanted])
      await client.query('UPDATE machine SET draining_since = $2 WHERE id = ANY($1) AND draining_since IS NULL', [plan.drain, now])
      if (plan.finish)
        await client.query('UPDATE holding SET blueprint = coalesce(next_blueprint, blueprint), next_blueprint = NULL WHERE id = $1', [id])
      return machinesOf(client, [id])
    })
    this.tell(id)
    return machines.get(id) ?? []
  }

  /** One whose time is over is stopped, once. */
  async expire(lease: Lease, { id, expiresAt }: Holding, now: Date): Promise<void> {
    const text =
      "UPDATE holding SET wanted = 'stopped', stopped_at = $2, updated_at = $2 WHERE id = $1 AND wanted = 'started' AND expires_at = $3"
    await lease.transaction(this.pool, (client) => client.query(text, [id, now, expiresAt]))
    this.tell(id)
  }

  async save(lease: Lease, looks: readonly HoldingLook[], now: Date): Promise<void> {
    const all = looks.flatMap(({ machines }) => machines)
    const gone = all.filter(({ isGone }) => isGone).map(({ machine }) => machine.id)
    const rest = all.filter(({ isGone }) => !isGone)
    const changed = rest.filter(hasChanged)
    const removed = looks.filter(({ holding }) => holding.wanted === 'removed').map(({ holding }) => holding.id)
    await lease.transaction(this.pool, async (client) => {
      await client.query(SAVE_LOOKS, [JSON.stringify(looks.map(lookRow))])
      if (changed.length > 0) await client.query(SAVE_MACHINES, [JSON.stringify(changed.map(machineRow)), now])
      const same = rest.filter((look) => !changed.includes(look)).map(({ machine }) => machine.id)
      if (same.length > 0) await client.query(SEEN, [same, now])
      if (gone.length > 0) await client.query('DELETE FROM machine WHERE id = ANY($1)', [gone])
      if (removed.length > 0) await client.query(GONE, [removed, now])
    })
    for (const { holding, machines } of looks) if (machines.some((look) => look.isGone || hasChanged(look))) this.tell(holding.id)
  }

  /** Whose this machine is, is due. */
  async lookNow(machineId: string): Promise<void> {
    const text = 'UPDATE holding SET look_at = least(look_at, now()) WHERE id = (SELECT holding_id FROM machine WHERE id = $1)'
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
  const text = 'SELECT * FROM machine WHERE holding_id = ANY($1) ORDER BY created_at, id'
  const { rows } = await client.query<StoredMachine>(text, [ids])
  const machines = new Map<string, Machine[]>()
  for (const row of rows) machines.set(row.holding_id, [...(machines.get(row.holding_id) ?? []), machineOf(row)])
  return machines
}

function lookRow({ lookAt, attempts, holding }: HoldingLook) {
  return { id: holding.id, look_at: lookAt, attempts, updated_at: holding.updatedAt }
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
