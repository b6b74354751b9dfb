import { Inject, Injectable } from '@nestjs/common'
import type { PlanInUse, UserPlan as UserPlanReply } from '@trestle/contracts/nodes/plans'
import { Clock } from '@trestle/runtime/clock'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { describePlan, describePlanInUse, type GrantedPlan } from './granted-plan.js'
import { PlansRepository } from './plans.repository.js'

const DAY_MS = 86_400_000

/** Who may have how much. */
@Injectable()
export class PlansService {
  constructor(
    private readonly repository: PlansRepository,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'PLAN_NODES' | 'PLAN_CLUSTERS' | 'PLAN_DAYS'>,
  ) {}

  of(userId: string): Promise<GrantedPlan> {
    const startsAt = this.clock.now()
    const expiresAt = new Date(startsAt.getTime() + this.env.PLAN_DAYS * DAY_MS)
    return this.repository.findOrBegin(userId, { nodes: this.env.PLAN_NODES, clusters: this.env.PLAN_CLUSTERS, startsAt, expiresAt })
  }

  ofAll(userIds: readonly string[]): Promise<Map<string, GrantedPlan>> {
    return this.repository.findAll([...new Set(userIds)])
  }

  async describe(userId: string): Promise<UserPlanReply> {
    return describePlan(await this.of(userId))
  }

  /** To look at somebody's plan does not begin it. */
  async inUse(userId: string): Promise<PlanInUse> {
    const begun = (await this.repository.findAll([userId])).get(userId)
    const { PLAN_NODES: nodes, PLAN_CLUSTERS: clusters } = this.env
    return describePlanInUse(begun ?? { nodes, clusters }, await this.repository.countUsed(userId))
  }

  async set(userId: string, given: { nodes: number; clusters: number; expiresAt: string }): Promise<UserPlanReply> {
    const figures = { ...given, startsAt: this.clock.now(), expiresAt: new Date(given.expiresAt) }
    return describePlan(await this.repository.set(userId, figures))
  }
}
