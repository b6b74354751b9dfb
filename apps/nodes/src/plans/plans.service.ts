import { Inject, Injectable } from '@nestjs/common'
import type { PlanInUse, UserPlan as UserPlanReply } from '@trestle/contracts/nodes/plans'
import { Clock } from '@trestle/runtime/clock'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { describePlan, describePlanInUse, expiryOf, type GrantedPlan } from './granted-plan.js'
import { PlansRepository } from './plans.repository.js'

const DAY_MS = 86_400_000

/** How many nodes and clusters each user may have. */
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
    return this.repository.findOrCreate(userId, { nodes: this.env.PLAN_NODES, clusters: this.env.PLAN_CLUSTERS, startsAt, expiresAt })
  }

  /** From now until the TTL in seconds is over, or the plan is. */
  lifetimeOf(plan: GrantedPlan, ttl: number | undefined): { createdAt: Date; expiresAt: Date } {
    const createdAt = this.clock.now()
    return { createdAt, expiresAt: expiryOf(plan, ttl, createdAt) }
  }

  ofAll(userIds: readonly string[]): Promise<Map<string, GrantedPlan>> {
    return this.repository.findAll([...new Set(userIds)])
  }

  async describe(userId: string): Promise<UserPlanReply> {
    return describePlan(await this.of(userId))
  }

  /** Reading a user's plan does not start it. */
  async inUse(userId: string): Promise<PlanInUse> {
    const granted = (await this.repository.findAll([userId])).get(userId)
    const { PLAN_NODES: nodes, PLAN_CLUSTERS: clusters } = this.env
    return describePlanInUse(granted ?? { nodes, clusters }, await this.repository.countUsed(userId))
  }

  async set(userId: string, given: { nodes: number; clusters: number; expiresAt: string }): Promise<UserPlanReply> {
    const figures = { ...given, startsAt: this.clock.now(), expiresAt: new Date(given.expiresAt) }
    return describePlan(await this.repository.set(userId, figures))
  }
}
