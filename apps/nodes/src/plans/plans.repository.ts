import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { NodesDatabase } from '../database.module.js'
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

  /** How many nodes and clusters the user has. */
  async countUsed(userId: string): Promise<PlanUse> {
    const count = (kind: string) => this.database.workload.count({ where: { userId, kind, removedAt: null } })
    const [nodes, clusters] = await Promise.all([count('node'), count('cluster')])
    return { nodes, clusters }
  }
}

function newId(): string {
  return `user-plan-${randomUUID()}`
}
