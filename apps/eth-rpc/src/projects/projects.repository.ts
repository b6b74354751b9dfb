import { Injectable } from '@nestjs/common'
import { lockOrganization } from '@trestle/auth/dissolved-organizations'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { ROW_LOCK } from '@trestle/database/row-lock'
import { callLimitColumns, callLimitsIn } from '../call-limits/call-limits.js'
import { EthRpcDatabase, type EthRpcTransaction } from '../database.module.js'
import { tokenColumns, tokensIn } from '../foreign-tokens/token-settings.js'
import type { Project as ProjectRow } from '../generated/prisma/client.js'
import { digestOfKey, type PresentedKey } from '../keys/project-key.js'
import type { ComputeUnitLimits } from '../limits/spending-ledger.js'
import { type NewProjectRow, type ProjectCounts, type StoredProject, unknownProject } from './project.js'

export interface ProjectOwnership {
  readonly organizationId: string
  readonly id: string
}

/** The most that a project of an owner may have. */
export interface MaxRights extends ComputeUnitLimits {
  readonly namespaces: readonly string[]
}

type NewOwnership = Pick<StoredProject, 'organizationId' | 'ownerId'>

/** A project, whether the user whose personal organization owns it is disabled, and what it has spent today (UTC), in compute units. */
export interface ProjectWithSpending {
  readonly project: StoredProject
  readonly isOwnerDisabled: boolean
  readonly spentToday: number
  /** Where it was a key, and no id, that was asked for. */
  readonly key?: PresentedKey
}

@Injectable()
export class ProjectsRepository {
  constructor(private readonly database: EthRpcDatabase) {}

  async list(organizationId: string): Promise<StoredProject[]> {
    const rows = await this.database.project.findMany({ where: { organizationId }, orderBy: [{ createdAt: 'desc' }, { serial: 'desc' }] })
    return rows.map(toProject)
  }

  async get({ organizationId, id }: ProjectOwnership, tx: Pick<EthRpcTransaction, 'project'> = this.database): Promise<StoredProject> {
    return known(await tx.project.findUnique({ where: { id, organizationId } }))
  }

  /** The projects that have, or had before their last rotation, one of these ids, and those that have it as a key. */
  async listByIds(given: readonly string[]): Promise<ProjectWithSpending[]> {
    const ids = { in: [...given] }
    const [projects, ofKeys] = await Promise.all([
      this.database.project.findMany({ where: { OR: [{ id: ids }, { formerId: ids }] } }),
      this.listByKeys(given),
    ])
    const found = [...projects.map((row) => ({ row, key: undefined })), ...ofKeys]
    const [spent, disabled] = await Promise.all([
      this.spentToday(found.map(({ row }) => row.serial)),
      this.disabledAmong(found.map(({ row }) => row.ownerId)),
    ])
    return found.map(({ row, key }) => ({
      project: toProject(row),
      isOwnerDisabled: row.organizationId === personalOrganizationOf(row.ownerId) && disabled.has(row.ownerId),
      spentToday: spent.get(row.serial) ?? 0,
      key,
    }))
  }

  /** No other transaction adds a project of this owner, or changes its settings or what was granted to them, until this one ends. */
  async lockOwner(tx: EthRpcTransaction, ownerId: string): Promise<void> {
    await tx.$executeRawUnsafe(ROW_LOCK, `user ${ownerId}`)
  }

  /** No other transaction adds one to the organization, or of the user, until this one ends. */
  async count(tx: EthRpcTransaction, { organizationId, ownerId }: NewOwnership, now: Date): Promise<ProjectCounts> {
    const owned = await this.countOwned(tx, organizationId)
    await this.lockOwner(tx, ownerId)
    const creation = await tx.projectCreation.findUnique({ where: { ownerId, day: utcDay(now) } })
    return { owned, created: await tx.project.count({ where: { ownerId } }), createdToday: creation?.created ?? 0 }
  }

  /** How many projects an organization owns; no other transaction adds one until this one ends. Throws Problem `UnknownOrganization` if it was dissolved. */
  async countOwned(tx: EthRpcTransaction, organizationId: string): Promise<number> {
    await lockOrganization(tx, organizationId)
    return tx.project.count({ where: { organizationId } })
  }

  /** After `count`, in the same transaction. */
  async add(tx: EthRpcTransaction, project: NewProjectRow, { createdToday }: Pick<ProjectCounts, 'createdToday'>): Promise<StoredProject> {
    const { ownerId, createdAt } = project
    const creation = { day: utcDay(createdAt), created: createdToday + 1 }
    await tx.projectCreation.upsert({ where: { ownerId }, create: { ownerId, ...creation }, update: creation })
    return toProject(await tx.project.create({ data: toRow(project) }))
  }

  /** A project that no other transaction changes until this one ends. */
  async lock(tx: EthRpcTransaction, { organizationId, id }: ProjectOwnership): Promise<StoredProject> {
    await tx.$executeRaw`SELECT FROM project WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`
    return known(await tx.project.findUnique({ where: { id, organizationId } }))
  }

  async save(tx: EthRpcTransaction, { serial, ...project }: StoredProject): Promise<void> {
    await tx.project.update({ where: { serial }, data: toRow(project) })
  }

  /** Lowers the limits of an owner's projects that exceed these, and removes other namespaces; returns the changed ones. */
  lowerLimits(
    tx: EthRpcTransaction,
    ownerId: string,
    { perSecond, perDay, namespaces }: MaxRights,
    now: Date,
  ): Promise<{ serial: number }[]> {
    return tx.$queryRaw`
      UPDATE project SET per_second = LEAST(per_second, ${perSecond}), per_day = LEAST(per_day, ${perDay}::bigint),
             namespaces = ARRAY(SELECT each FROM unnest(namespaces) AS each WHERE each = ANY(${namespaces}::text[])), version = version + 1, updated_at = ${now}
       WHERE owner_id = ${ownerId} AND (per_second > ${perSecond} OR per_day > ${perDay}::bigint OR NOT namespaces <@ ${namespaces}::text[])
       RETURNING serial`
  }

  async remove(tx: EthRpcTransaction, { serial }: StoredProject): Promise<void> {
    await tx.project.delete({ where: { serial } })
  }

  private async listByKeys(presented: readonly string[]): Promise<{ row: ProjectRow; key: PresentedKey }[]> {
    const ids = new Map(presented.map((id) => [hexOf(digestOfKey(id)), id]))
    const rows = await this.database.projectKey.findMany({
      where: { digest: { in: [...ids.values()].map(digestOfKey) } },
      include: { owner: true },
    })
    return rows.flatMap(({ owner, digest, ...key }) => {
      const id = ids.get(hexOf(digest))
      return id === undefined ? [] : [{ row: owner, key: { ...key, id } }]
    })
  }

  private async disabledAmong(ownerIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (ownerIds.length === 0) return new Set()
    const rows = await this.database.ownerStatus.findMany({ where: { userId: { in: [...ownerIds] }, disabled: true } })
    return new Set(rows.map(({ userId }) => userId))
  }

  private async spentToday(serials: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.database.$queryRaw<{ project: number; spent: bigint }[]>`
      SELECT project, compute_units AS spent FROM usage_day WHERE project = ANY(${serials}) AND day = (now() AT TIME ZONE 'UTC')::date`
    return new Map(rows.map(({ project, spent }) => [project, Number(spent)]))
  }
}

function toRow({ limits, quorum, tokens, former, ...project }: NewProjectRow) {
  return {
    ...project,
    allowedOrigins: [...project.allowedOrigins],
    allowedMethods: [...project.allowedMethods],
    allowedContracts: [...project.allowedContracts],
    allowedIps: [...project.allowedIps],
    namespaces: [...project.namespaces],
    perSecond: limits.perSecond,
    perDay: BigInt(limits.perDay),
    ...callLimitColumns(limits),
    ...tokenColumns(tokens),
    quorumNodes: quorum?.nodes ?? null,
    quorumAgreeing: quorum?.agreeing ?? null,
    quorumMethods: [...(quorum?.methods ?? [])],
    quorumByHeader: quorum?.byHeader ?? false,
    formerId: former?.id ?? null,
    formerUntil: former?.until ?? null,
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function utcDay(now: Date): Date {
  return new Date(now.toISOString().slice(0, 10))
}

function known(row: ProjectRow | null): StoredProject {
  if (!row) throw unknownProject()
  return toProject(row)
}

function toProject({ lastKey: _, ...row }: ProjectRow): StoredProject {
  const { formerId, formerUntil, perSecond, perDay, quorumNodes, quorumAgreeing, quorumMethods, quorumByHeader, ...others } = row
  const { limitedMethods, methodLimits, perAddress, perSender, perCaller, tokenJwksUrl, tokenIssuer, tokenAudience, ...rest } = others
  const former = formerId && formerUntil ? { id: formerId, until: formerUntil } : undefined
  const quorum =
    quorumNodes && quorumAgreeing
      ? { nodes: quorumNodes, agreeing: quorumAgreeing, methods: quorumMethods, byHeader: quorumByHeader }
      : undefined
  const callLimits = callLimitsIn({ limitedMethods, methodLimits, perAddress, perSender, perCaller })
  const tokens = tokensIn({ tokenJwksUrl, tokenIssuer, tokenAudience })
  return { ...rest, former, quorum, tokens, limits: { perSecond, perDay: Number(perDay), ...callLimits } }
}
