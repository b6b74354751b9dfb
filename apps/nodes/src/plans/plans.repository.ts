import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { personalOrganizationOf } from '@trestle/contracts/permissions'
import { NodesDatabase } from '../database.module.js'
import { COUNT_OWNED } from './count-owned.js'
import type { GrantedPlan, PlanUse } from './granted-plan.js'

type Quotas = Pick<GrantedPlan, 'nodes' | 'clusters' | 'startsAt' | 'expiresAt'>

@Injectable()
export class PlansRepository {
  constructor(private readonly database: NodesDatabase) {}

  /** The user's plan; one with these quotas if there is none yet. */
  findOrCreate(userId: string, quotas: Quotas): Promise<GrantedPlan> {
    return this.database.userPlan.upsert({ where: { userId }, create: { ...quotas, userId, id: newId() }, update: { userId } })
  }

  set(userId: string, quotas: Quotas): Promise<GrantedPlan> {
    const { nodes, clusters, expiresAt } = quotas
    return this.database.userPlan.upsert({
      where: { userId },
      create: { ...quotas, userId, id: newId() },
      update: { nodes, clusters, expiresAt },
    })
  }

  async findAll(userIds: readonly string[]): Promise<Map<string, GrantedPlan>> {
    const rows = await this.database.userPlan.findMany({ where: { userId: { in: [...userIds] } } })
    return new Map(rows.map((row) => [row.userId, row]))
  }

  async findOfOrganization(organizationId: string): Promise<GrantedPlan | undefined> {
    return (await this.database.organizationPlan.findUnique({ where: { organizationId } })) ?? undefined
  }

  async findOfOrganizations(organizationIds: readonly string[]): Promise<Map<string, GrantedPlan>> {
    const rows = await this.database.organizationPlan.findMany({ where: { organizationId: { in: [...organizationIds] } } })
    return new Map(rows.map((row) => [row.organizationId, row]))
  }

  setOfOrganization(organizationId: string, quotas: Quotas): Promise<GrantedPlan> {
    const { nodes, clusters, expiresAt } = quotas
    return this.database.organizationPlan.upsert({
      where: { organizationId },
      create: { ...quotas, organizationId, id: newId() },
      update: { nodes, clusters, expiresAt },
    })
  }

  /** How many nodes and clusters count against the user's plan. */
  countUsed(userId: string): Promise<PlanUse> {
    return this.countEach(async (kind) => {
      const values = [personalOrganizationOf(userId), userId, kind]
      const [row] = await this.database.$queryRawUnsafe<{ count: number }[]>(COUNT_OWNED, ...values)
      return row?.count ?? 0
    })
  }

  /** How many nodes and clusters the organization has. */
  countOfOrganization(organizationId: string): Promise<PlanUse> {
    return this.countEach((kind) => this.database.workload.count({ where: { organizationId, kind, removedAt: null } }))
  }

  private async countEach(count: (kind: string) => Promise<number>): Promise<PlanUse> {
    const [nodes, clusters] = await Promise.all([count('node'), count('cluster')])
    return { nodes, clusters }
  }
}

function newId(): string {
  return `user-plan-${randomUUID()}`
}
