import { Inject, Injectable } from '@nestjs/common'
import { type Dissolution, lockOrganization, saveDissolution } from '@trestle/auth/dissolved-organizations'
import { nodeChanged } from '@trestle/contracts/nodes/messages'
import { ROW_LOCK } from '@trestle/database/row-lock'
import { transaction } from '@trestle/database/transaction'
import { Turns } from '@trestle/database/turns'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Problem } from '@trestle/problem/problem'
import { Pool, type PoolClient } from 'pg'
import type { Blueprint } from '../catalogue/blueprint.js'
import { NodesDatabase } from '../database.module.js'
import type { NodesEnv } from '../env.js'
import { Prisma } from '../generated/prisma/client.js'
import { COUNT_OWNED } from '../plans/count-owned.js'
import type { PlanHolder } from '../plans/granted-plan.js'
import { ENV } from '../settings.module.js'
import type { GatewayCredentials, NewWorkload, WorkloadCounts } from './new-workload.js'
import { workloadOf } from './stored-workload.js'
import { aliasTaken, type Workload, type WorkloadKey, type WorkloadKind, type WorkloadWithMachines } from './workload.js'

/** A user whom an administrator has disabled. */
export interface DisabledOwner {
  readonly userId: string
  readonly disabledAt: string
}

/** Without an organization: whoever owns it. */
type AnyWorkloadKey = Pick<WorkloadKey, 'kind' | 'id'> & Partial<WorkloadKey>

interface WorkloadSettings {
  readonly allowedIps?: readonly string[]
  readonly expiresAt?: Date
  readonly capacity?: number
}

interface Assignment {
  readonly set: string
  readonly where?: string
  /** From $5 on. */
  readonly values?: readonly unknown[]
}

const ADD = `
  INSERT INTO workload (id, kind, organization_id, user_id, blueprint, capacity, alias, auth_type, auth_user, sealed_password, credentials_digest, allowed_ips, port,
    created_at, updated_at, started_at, reconcile_at, expires_at, request_key, request_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $14, $14, $15, $16, $17)
  ON CONFLICT (user_id, kind, request_key) WHERE request_key IS NOT NULL DO NOTHING`

const MADE = 'SELECT FROM workload WHERE user_id = $1 AND kind = $2 AND request_key = $3'
const TRANSFER_ALL = 'UPDATE workload SET organization_id = $2, updated_at = $3 WHERE organization_id = $1 RETURNING id'

const CREATED = `
  SELECT count(*)::int AS count FROM workload WHERE user_id = $1 AND kind = $2 AND created_at > $3::timestamptz - interval '24 hours'`

const FREE_PORT = `
  SELECT port FROM generate_series($1::int, $2::int) AS port
  WHERE NOT EXISTS (SELECT FROM workload WHERE workload.port = port.port AND gone_at IS NULL) ORDER BY port LIMIT 1`

// A token may have been valid for a moment after the user was disabled. What was started later, an owner started who was enabled again, for an event
// may be delivered twice.
const STOP_ALL = `
  UPDATE workload SET desired_state = 'stopped', stopped_at = $3, updated_at = $3, reconcile_at = least(reconcile_at, $3), attempts = 0
  FROM unnest($1::text[], $2::timestamptz[]) AS disabled (owner, at)
  WHERE user_id = disabled.owner AND organization_id = 'org-' || substr(user_id, 6) AND desired_state = 'started' AND started_at <= disabled.at + interval '1 minute' RETURNING id`

const PURGE = `
  UPDATE workload SET desired_state = 'removed', removed_at = coalesce(removed_at, $2), purge_at = $2, stopped_at = coalesce(stopped_at, $2),
    updated_at = $2, reconcile_at = least(reconcile_at, $2), attempts = 0
  WHERE id = $1 AND kind = $3 AND ($4::text IS NULL OR organization_id = $4) AND (removed_at IS NULL OR purge_at > $2)`

const RESTORE = `
  UPDATE workload SET desired_state = CASE WHEN expires_at > $2 THEN 'started' ELSE 'stopped' END, removed_at = NULL, purge_at = NULL,
    started_at = $2, stopped_at = CASE WHEN expires_at > $2 THEN NULL ELSE stopped_at END,
    updated_at = $2, reconcile_at = least(reconcile_at, $2), attempts = 0
  WHERE id = $1 AND kind = $3 AND organization_id = $4 AND desired_state = 'removed' AND purge_at > $2
    AND NOT EXISTS (SELECT FROM workload_machine machine WHERE workload_id = workload.id AND machine.desired_state = 'gone')`

/** The disks of an organization's removed nodes, and of its clusters, that are kept at a time; the oldest make room. */
const MAX_IN_BIN = 10

const EMPTY_BIN = `
  UPDATE workload SET purge_at = $2, reconcile_at = $2 WHERE id IN (
    SELECT older.id FROM workload older JOIN workload removed USING (organization_id, kind)
    WHERE removed.id = $1 AND older.purge_at > $2 ORDER BY older.removed_at DESC, older.id OFFSET $3)`

const TRANSFER = `
  UPDATE workload SET organization_id = $5, expires_at = least(expires_at, $6), updated_at = $2, reconcile_at = least(reconcile_at, $2)
  WHERE id = $1 AND kind = $3 AND organization_id = $4 AND removed_at IS NULL`

// Named after the table's former name, as the release before knows it (migration rename_to_workloads).
const ALIAS_INDEX = 'holding_alias'
/** The maximum length of a list. */
const MAX_LISTED = 10_000

/** Ordinary reads and writes by the generated client; SQL where rows are counted under a lock, or a value is computed from the row. */
@Injectable()
export class WorkloadsRepository {
  /** What locks the same rows of Postgres waits here: there, it would keep connections from everybody else. Users go before organizations. */
  private readonly turns = new Turns(1)

  constructor(
    private readonly database: NodesDatabase,
    private readonly pool: Pool,
    private readonly broadcasts: Broadcasts,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'BIN_HOURS'>,
  ) {}

  /** False if the request was carried out already. `admit` throws if there are, or the user created within 24 hours, too many. */
  async add(given: NewWorkload, admit: (counts: WorkloadCounts) => void): Promise<boolean> {
    const isAdded = await this.inTurn(given, async (client) => {
      const owned = await countOwned(client, given.kind, given)
      const { userId, kind, request } = given
      if (request && (await client.query(MADE, [userId, kind, request.key])).rowCount) return false
      const { rows } = await client.query<{ count: number }>(CREATED, [userId, kind, given.createdAt])
      admit({ owned, createdToday: rows[0]?.count ?? 0 })
      return insert(client, given, given.ports && (await takePort(client, given.ports)))
    })
    if (isAdded) this.announce(given.id)
    return isAdded
  }

  findByRequest({ userId, kind }: Pick<Workload, 'userId' | 'kind'>, requestKey: string) {
    return this.database.workload.findFirst({ where: { userId, kind, requestKey }, select: { id: true, requestHash: true } })
  }

  /** Oldest first; of one organization, or of all. */
  async list(kind: WorkloadKind, { organizationId, all }: { organizationId?: string; all: boolean }): Promise<WorkloadWithMachines[]> {
    const where = { kind, organizationId, ...(!all && { removedAt: null }) }
    const rows = await this.database.workload.findMany({ where, include: WITH_MACHINES, orderBy: { serial: 'asc' }, take: MAX_LISTED })
    return rows.map(workloadOf)
  }

  async find({ organizationId, kind, id }: WorkloadKey): Promise<WorkloadWithMachines | undefined> {
    const row = await this.database.workload.findFirst({ where: { organizationId, kind, id, removedAt: null }, include: WITH_MACHINES })
    return row ? workloadOf(row) : undefined
  }

  /** False if it has expired, or there is none. */
  start(key: WorkloadKey, now: Date): Promise<boolean> {
    const set = "desired_state = 'started', started_at = CASE WHEN desired_state = 'started' THEN started_at ELSE $2 END, stopped_at = NULL"
    return this.assign(key, now, { set, where: 'expires_at > $2' })
  }

  stop(key: WorkloadKey, now: Date): Promise<boolean> {
    return this.assign(key, now, { set: "desired_state = 'stopped', stopped_at = coalesce(stopped_at, $2)" })
  }

  /** Its data is kept for a while. */
  async remove(key: AnyWorkloadKey, now: Date): Promise<boolean> {
    const set = "desired_state = 'removed', removed_at = $2, purge_at = $5, stopped_at = coalesce(stopped_at, $2)"
    const isRemoved = await this.assign(key, now, { set, values: [new Date(now.getTime() + this.env.BIN_HOURS * 3_600_000)] })
    if (isRemoved) await this.pool.query(EMPTY_BIN, [key.id, now, MAX_IN_BIN])
    return isRemoved
  }

  /** With its data, at once; also what is in the bin. */
  async purge({ id, kind, organizationId }: AnyWorkloadKey, now: Date): Promise<boolean> {
    const { rowCount } = await this.pool.query(PURGE, [id, now, kind, organizationId])
    if (rowCount) this.announce(id)
    return rowCount === 1
  }

  /** Whom its plan would be of. */
  async findInBin({ organizationId, kind, id }: WorkloadKey, now: Date): Promise<PlanHolder | undefined> {
    const where = { organizationId, kind, id, desiredState: 'removed', purgeAt: { gt: now } }
    return (await this.database.workload.findFirst({ where, select: { organizationId: true, userId: true } })) ?? undefined
  }

  /** False if it is not in the bin any more. `admit` throws if there are too many. */
  async restore(key: WorkloadKey, holder: PlanHolder, now: Date, admit: (owned: number) => void): Promise<boolean> {
    const isRestored = await this.inTurn(holder, async (client) => {
      admit(await countOwned(client, key.kind, holder))
      return (await client.query(RESTORE, [key.id, now, key.kind, key.organizationId])).rowCount === 1
    }).catch(rethrow)
    if (isRestored) this.announce(key.id)
    return isRestored
  }

  async stopAllOf(owners: readonly DisabledOwner[], now: Date): Promise<void> {
    const values = [owners.map(({ userId }) => userId), owners.map(({ disabledAt }) => disabledAt), now]
    const { rows } = await this.pool.query<{ id: string }>(STOP_ALL, values)
    for (const { id } of rows) this.announce(id)
  }

  saveCredentials(key: WorkloadKey, now: Date, { user, sealedPassword, digest }: GatewayCredentials): Promise<boolean> {
    return this.update(key, now, { authUser: user, sealedPassword, credentialsDigest: digest })
  }

  saveSettings(key: WorkloadKey, now: Date, { allowedIps, ...settings }: WorkloadSettings): Promise<boolean> {
    return this.update(key, now, { ...settings, ...(allowedIps && { allowedIps: [...allowedIps] }) })
  }

  saveAlias(key: WorkloadKey, now: Date, alias: string | null): Promise<boolean> {
    return this.assign(key, now, { set: 'alias = $5', values: [alias] })
  }

  /** False if it is being changed to another blueprint already. */
  saveNextBlueprint(key: WorkloadKey, now: Date, next: Blueprint): Promise<boolean> {
    const where = "next_blueprint IS NULL OR next_blueprint->>'serviceId' = $5::jsonb->>'serviceId'"
    return this.assign(key, now, { set: 'next_blueprint = $5', where, values: [JSON.stringify(next)] })
  }

  /** False if there is none. `admit` throws if there are too many where it goes. */
  async transfer(key: WorkloadKey, to: PlanHolder & { expiresAt: Date }, now: Date, admit: (owned: number) => void): Promise<boolean> {
    const isTransferred = await this.inTurn(to, async (client) => {
      admit(await countOwned(client, key.kind, to))
      const values = [key.id, now, key.kind, key.organizationId, to.organizationId, to.expiresAt]
      return (await client.query(TRANSFER, values)).rowCount === 1
    })
    if (isTransferred) this.announce(key.id)
    return isTransferred
  }

  /** What a dissolved organization owned belongs to its heir, also beyond the heir's plan: nothing is lost. */
  async inherit(dissolution: Dissolution, now: Date): Promise<void> {
    const { rows } = await transaction(this.pool, async (client) => {
      await saveDissolution(client, dissolution)
      return client.query<{ id: string }>(TRANSFER_ALL, [dissolution.organizationId, dissolution.heirId, now])
    })
    for (const { id } of rows) this.announce(id)
  }

  /** False if it is not being changed. */
  clearNextBlueprint(key: WorkloadKey, now: Date): Promise<boolean> {
    return this.update(key, now, { nextBlueprint: Prisma.DbNull }, { nextBlueprint: { not: Prisma.DbNull } })
  }

  private inTurn<T>({ userId, organizationId }: PlanHolder, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const ofOrganization = () => this.turns.run(`organization ${organizationId}`, () => transaction(this.pool, work))
    return this.turns.run(`user ${userId}`, ofOrganization)
  }

  /** False if there is none. Whatever an owner changes, the reconciler handles at once. */
  private async update(
    { organizationId, kind, id }: WorkloadKey,
    now: Date,
    data: Prisma.WorkloadUpdateManyMutationInput,
    where: Prisma.WorkloadWhereInput = {},
  ): Promise<boolean> {
    const { count } = await this.database.workload.updateMany({
      where: { ...where, organizationId, kind, id, removedAt: null },
      data: { ...data, updatedAt: now, reconcileAt: now, attempts: 0 },
    })
    if (count > 0) this.announce(id)
    return count > 0
  }

  /** `update` with expressions. */
  private async assign(
    { id, kind, organizationId }: AnyWorkloadKey,
    now: Date,
    { set, where = 'true', values = [] }: Assignment,
  ): Promise<boolean> {
    const text = `
      UPDATE workload SET ${set}, updated_at = $2, reconcile_at = least(reconcile_at, $2), attempts = 0
      WHERE id = $1 AND kind = $3 AND ($4::text IS NULL OR organization_id = $4) AND removed_at IS NULL AND (${where})`
    const { rowCount } = await this.pool.query(text, [id, now, kind, organizationId, ...values]).catch(rethrow)
    if (rowCount) this.announce(id)
    return rowCount === 1
  }

  /** Reconciler and gateways need not wait for their next look. */
  private announce(id: string): void {
    this.broadcasts.publish(nodeChanged, { id })
  }
}

const WITH_MACHINES = { machines: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } } satisfies Prisma.WorkloadInclude

/** How many count against a plan; nobody else adds one to it until the transaction ends. Throws Problem `UnknownOrganization` if the organization was dissolved. */
async function countOwned(client: PoolClient, kind: WorkloadKind, holder: PlanHolder): Promise<number> {
  await lockOrganization(client, holder.organizationId)
  await client.query(ROW_LOCK, [`user ${holder.userId}`])
  const { rows } = await client.query<{ count: number }>(COUNT_OWNED, [holder.organizationId, holder.userId, kind])
  return rows[0]?.count ?? 0
}

async function takePort(client: PoolClient, range: readonly [number, number]): Promise<number> {
  // One port is taken at a time.
  await client.query(ROW_LOCK, ['port'])
  const { rows } = await client.query<{ port: number }>(FREE_PORT, [...range])
  if (!rows[0]) throw new Problem('unavailable', 'NoPortLeft', `All ports from ${range[0]} to ${range[1]} are in use.`)
  return rows[0].port
}

async function insert(client: PoolClient, given: NewWorkload, port?: number): Promise<boolean> {
  const { auth, request } = given
  const { rowCount } = await client
    .query(ADD, [
      ...[given.id, given.kind, given.organizationId, given.userId, JSON.stringify(given.blueprint), given.capacity, given.alias],
      ...[auth.type, auth.user, auth.sealedPassword, auth.digest, given.allowedIps, port],
      ...[given.createdAt, given.expiresAt, request?.key, request?.hash],
    ])
    .catch(rethrow)
  return rowCount === 1
}

function rethrow(error: Error & { constraint?: string }): never {
  throw error.constraint === ALIAS_INDEX ? aliasTaken() : error
}
