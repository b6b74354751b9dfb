import { Injectable } from '@nestjs/common'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import type { ClusterAuthType } from '@trestle/contracts/nodes/shapes'
import { transaction } from '@trestle/database/transaction'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Pool, type PoolClient } from 'pg'
import type { Blueprint } from '../catalogue/blueprint.js'
import { machineOf, type StoredMachine, type StoredWorkload, workloadOf } from './stored-workload.js'
import type { Machine, Workload, WorkloadKind, WorkloadWithMachines } from './workload.js'

/** What one begins with. */
export interface NewWorkload {
  readonly id: string
  readonly kind: WorkloadKind
  readonly userId: string
  readonly blueprint: Blueprint
  readonly capacity: number
  readonly alias?: string
  readonly auth: Credentials & { readonly type: ClusterAuthType }
  readonly allowedIps: readonly string[]
  /** One of these becomes its own. */
  readonly ports?: readonly [first: number, last: number]
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly request?: Request
}

export interface Credentials {
  readonly user: string
  readonly sealedPassword: Buffer
  readonly digest: Buffer
}

/** A caller's Idempotency-Key, and what came with it. */
export interface Request {
  readonly key: string
  readonly hash: Buffer
}

export interface Ownership {
  readonly userId: string
  readonly kind: WorkloadKind
  readonly id: string
}

/** Whoever an administrator has disabled. */
export interface DisabledOwner {
  readonly userId: string
  readonly disabledAt: string
}

/** Without an owner: whoever it belongs to. */
export type AnyOwnership = Pick<Ownership, 'kind' | 'id'> & Partial<Pick<Ownership, 'userId'>>

interface Change {
  readonly set: string
  readonly where?: string
  /** From $5 on. */
  readonly values?: readonly unknown[]
}

/** The owner has another of this alias. */
export class AliasTaken extends Error {
  override readonly name = 'AliasTaken'
}

/** Every port of the range is somebody's. */
export class NoPortLeft extends Error {
  override readonly name = 'NoPortLeft'
}

const ADD = `
  INSERT INTO workload (id, kind, user_id, blueprint, capacity, alias, auth_type, auth_user, sealed_password, credentials_digest, allowed_ips, port,
    created_at, updated_at, started_at, reconcile_at, expires_at, request_key, request_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $13, $13, $14, $15, $16)
  ON CONFLICT (user_id, kind, request_key) WHERE request_key IS NOT NULL DO NOTHING RETURNING *`

const FREE_PORT = `
  SELECT port FROM generate_series($1::int, $2::int) AS port
  WHERE NOT EXISTS (SELECT FROM workload WHERE workload.port = port.port AND gone_at IS NULL) ORDER BY port LIMIT 1`

const COUNT = 'SELECT count(*)::int AS count FROM workload WHERE user_id = $1 AND kind = $2 AND removed_at IS NULL'

// For a moment after it, a token may have opened the door still. What was started later, an owner has started who was enabled again: a fact may
// be told twice.
const STOP_ALL = `
  UPDATE workload SET desired_state = 'stopped', stopped_at = $3, updated_at = $3, reconcile_at = least(reconcile_at, $3), attempts = 0
  FROM unnest($1::text[], $2::timestamptz[]) AS disabled (owner, at)
  WHERE user_id = disabled.owner AND desired_state = 'started' AND started_at <= disabled.at + interval '1 minute' RETURNING id`

// Named after the table's former name, as the release before knows it (migration rename_to_workloads).
const ALIAS_INDEX = 'holding_alias'

// The most that one answer lists.
const LIST_LIMIT = 10_000

@Injectable()
export class WorkloadsRepository {
  constructor(
    private readonly pool: Pool,
    private readonly broadcasts: Broadcasts,
  ) {}

  /** Undefined where the request was carried out already. `admit` throws where the owner has enough. */
  async add(given: NewWorkload, admit: (held: number) => void): Promise<Workload | undefined> {
    const added = await transaction(this.pool, async (client) => {
      // Nobody else adds one of this owner's until the transaction ends.
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [given.userId])
      const earlier = given.request && (await findRequest(client, given, given.request.key))
      if (earlier) return undefined
      const { rows } = await client.query<{ count: number }>(COUNT, [given.userId, given.kind])
      admit(rows[0]?.count ?? 0)
      return insert(client, given, given.ports && (await takePort(client, given.ports)))
    })
    if (added) this.tell(added.id)
    return added
  }

  findRequest(of: Pick<Ownership, 'userId' | 'kind'>, key: string): Promise<Workload | undefined> {
    return findRequest(this.pool, of, key)
  }

  /** Oldest first; of one owner, or of everybody. */
  async list(kind: WorkloadKind, { userId, all }: { userId?: string; all: boolean }): Promise<WorkloadWithMachines[]> {
    const text = `SELECT * FROM workload WHERE kind = $1 AND ($2::text IS NULL OR user_id = $2) AND ($3 OR removed_at IS NULL) ORDER BY serial LIMIT ${LIST_LIMIT}`
    const { rows } = await this.pool.query<StoredWorkload>(text, [kind, userId, all])
    const machines = await this.machinesOf(rows.map(({ id }) => id))
    return rows.map((row) => ({ workload: workloadOf(row), machines: machines.get(row.id) ?? [] }))
  }

  async find({ userId, kind, id }: Ownership): Promise<WorkloadWithMachines | undefined> {
    const text = 'SELECT * FROM workload WHERE id = $1 AND kind = $2 AND user_id = $3 AND removed_at IS NULL'
    const { rows } = await this.pool.query<StoredWorkload>(text, [id, kind, userId])
    if (!rows[0]) return undefined
    return { workload: workloadOf(rows[0]), machines: (await this.machinesOf([id])).get(id) ?? [] }
  }

  /** False where its time is over, or there is none. */
  start(of: Ownership, now: Date): Promise<boolean> {
    const set = "desired_state = 'started', started_at = CASE WHEN desired_state = 'started' THEN started_at ELSE $2 END, stopped_at = NULL"
    return this.change(of, now, { set, where: 'expires_at > $2' })
  }

  stop(of: Ownership, now: Date): Promise<boolean> {
    return this.change(of, now, { set: "desired_state = 'stopped', stopped_at = coalesce(stopped_at, $2)" })
  }

  async stopAllOf(owners: readonly DisabledOwner[], now: Date): Promise<void> {
    const values = [owners.map(({ userId }) => userId), owners.map(({ disabledAt }) => disabledAt), now]
    const { rows } = await this.pool.query<{ id: string }>(STOP_ALL, values)
    for (const { id } of rows) this.tell(id)
  }

  remove(of: AnyOwnership, now: Date): Promise<boolean> {
    return this.change(of, now, { set: "desired_state = 'removed', removed_at = $2, stopped_at = coalesce(stopped_at, $2)" })
  }

  saveCredentials(of: Ownership, now: Date, { user, sealedPassword, digest }: Credentials): Promise<boolean> {
    const set = 'auth_user = $5, sealed_password = $6, credentials_digest = $7'
    return this.change(of, now, { set, values: [user, sealedPassword, digest] })
  }

  saveSettings(of: Ownership, now: Date, { allowedIps, expiresAt, capacity }: Settings): Promise<boolean> {
    const set = 'allowed_ips = coalesce($5, allowed_ips), expires_at = coalesce($6, expires_at), capacity = coalesce($7, capacity)'
    return this.change(of, now, { set, values: [allowedIps, expiresAt, capacity] })
  }

  /** False where it is being changed to another one already. */
  changeTo(of: Ownership, now: Date, next: Blueprint): Promise<boolean> {
    const where = "next_blueprint IS NULL OR next_blueprint->>'serviceId' = $5::jsonb->>'serviceId'"
    return this.change(of, now, { set: 'next_blueprint = $5', where, values: [JSON.stringify(next)] })
  }

  /** False where nothing is being changed. */
  changeBack(of: Ownership, now: Date): Promise<boolean> {
    return this.change(of, now, { set: 'next_blueprint = NULL', where: 'next_blueprint IS NOT NULL' })
  }

  saveAlias(of: Ownership, now: Date, alias: string | null): Promise<boolean> {
    return this.change(of, now, { set: 'alias = $5', values: [alias] })
  }

  /** False where there is none, or not as it would have to be. */
  private async change({ id, kind, userId }: AnyOwnership, now: Date, { set, where = 'true', values = [] }: Change): Promise<boolean> {
    const text = `
      UPDATE workload SET ${set}, updated_at = $2, reconcile_at = least(reconcile_at, $2), attempts = 0
      WHERE id = $1 AND kind = $3 AND ($4::text IS NULL OR user_id = $4) AND removed_at IS NULL AND (${where})`
    const { rowCount } = await this.pool.query(text, [id, now, kind, userId, ...values]).catch(rethrowTaken)
    if (rowCount) this.tell(id)
    return rowCount === 1
  }

  private async machinesOf(ids: readonly string[]): Promise<Map<string, Machine[]>> {
    const text = 'SELECT * FROM workload_machine WHERE workload_id = ANY($1) ORDER BY created_at, id'
    const { rows } = await this.pool.query<StoredMachine>(text, [ids])
    const machines = new Map<string, Machine[]>()
    for (const row of rows) machines.set(row.workload_id, [...(machines.get(row.workload_id) ?? []), machineOf(row)])
    return machines
  }

  /** Whoever looks after it, and whoever serves it, need not wait for the next look. */
  private tell(id: string): void {
    this.broadcasts.publish(nodeChanged, { id })
  }
}

export interface Settings {
  readonly allowedIps?: readonly string[]
  readonly expiresAt?: Date
  readonly capacity?: number
}

async function findRequest(client: Pool | PoolClient, { userId, kind }: Pick<Ownership, 'userId' | 'kind'>, key: string) {
  const text = 'SELECT * FROM workload WHERE user_id = $1 AND kind = $2 AND request_key = $3'
  const { rows } = await client.query<StoredWorkload>(text, [userId, kind, key])
  return rows[0] && workloadOf(rows[0])
}

async function takePort(client: PoolClient, range: readonly [number, number]): Promise<number> {
  // One port is given out at a time.
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('port', 0))")
  const { rows } = await client.query<{ port: number }>(FREE_PORT, [...range])
  if (!rows[0]) throw new NoPortLeft(`All ports from ${range[0]} to ${range[1]} are in use.`)
  return rows[0].port
}

async function insert(client: PoolClient, given: NewWorkload, port?: number): Promise<Workload | undefined> {
  const { auth, request } = given
  const { rows } = await client
    .query<StoredWorkload>(ADD, [
      ...[given.id, given.kind, given.userId, JSON.stringify(given.blueprint), given.capacity, given.alias],
      ...[auth.type, auth.user, auth.sealedPassword, auth.digest, given.allowedIps, port],
      ...[given.createdAt, given.expiresAt, request?.key, request?.hash],
    ])
    .catch(rethrowTaken)
  return rows[0] && workloadOf(rows[0])
}

function rethrowTaken(error: Error & { constraint?: string }): never {
  throw error.constraint === ALIAS_INDEX ? new AliasTaken('The owner has another of this alias.', { cause: error }) : error
}
