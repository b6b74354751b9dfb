import { Inject, Injectable } from '@nestjs/common'
import type { PlanInUse, UserPlan as UserPlanReply } from '@trestle/contracts/nodes/plans'
import { Clock } from '@trestle/runtime/clock'
import type { NodesEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { describePlan, describePlanInUse, expiryOf, type GrantedPlan, type PlanHolder } from './granted-plan.js'
import { PlansRepository } from './plans.repository.js'

const DAY_MS = 86_400_000

interface PlanFigures {
  readonly nodes: number
  readonly clusters: number
  readonly expiresAt: string
}

/** How many nodes and clusters users and organizations may have. */
@Injectable()
export class PlansService {
  constructor(
    private readonly repository: PlansRepository,
    private readonly clock: Clock,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'PLAN_NODES' | 'PLAN_CLUSTERS' | 'PLAN_DAYS'>,
  ) {}

  async of(holder: PlanHolder): Promise<GrantedPlan> {
    const ofOrganization = await this.repository.findOfOrganization(holder.organizationId)
    return ofOrganization ?? this.ofUser(holder.userId)
  }

  private ofUser(userId: string): Promise<GrantedPlan> {
    const startsAt = this.clock.now()
    const expiresAt = new Date(startsAt.getTime() + this.env.PLAN_DAYS * DAY_MS)
    return this.repository.findOrCreate(userId, { nodes: this.env.PLAN_NODES, clusters: this.env.PLAN_CLUSTERS, startsAt, expiresAt })
  }

  /** From now until the TTL in seconds is over, or the plan is. */
  lifetimeOf(plan: GrantedPlan, ttl: number | undefined): { createdAt: Date; expiresAt: Date } {
    const createdAt = this.clock.now()
    return { createdAt, expiresAt: expiryOf(plan, ttl, createdAt) }
  }

  /** The plan of each, by one query a kind. */
  async ofAll(holders: readonly PlanHolder[]): Promise<(holder: PlanHolder) => GrantedPlan | Promise<GrantedPlan>> {
    const [ofUsers, ofOrganizations] = await Promise.all([
      this.repository.findAll([...new Set(holders.map(({ userId }) => userId))]),
      this.repository.findOfOrganizations([...new Set(holders.map(({ organizationId }) => organizationId))]),
    ])
    return ({ organizationId, userId }) => ofOrganizations.get(organizationId) ?? ofUsers.get(userId) ?? this.ofUser(userId)
  }

  async describe(holder: PlanHolder): Promise<UserPlanReply> {
    return describePlan(await this.of(holder))
  }

  /** An organization without a plan of its own has none: what is created there counts against the plan of who creates it. */
  async ofOrganization(organizationId: string): Promise<PlanInUse> {
    const granted = await this.repository.findOfOrganization(organizationId)
    return describePlanInUse(granted ?? { nodes: 0, clusters: 0 }, await this.repository.countOfOrganization(organizationId))
  }

  async setOfOrganization(organizationId: string, given: PlanFigures): Promise<UserPlanReply> {
    return describePlan(await this.repository.setOfOrganization(organizationId, this.quotasOf(given)))
  }

  /** Reading a user's plan does not start it. */
  async inUse(userId: string): Promise<PlanInUse> {
    const granted = (await this.repository.findAll([userId])).get(userId)
    const { PLAN_NODES: nodes, PLAN_CLUSTERS: clusters } = this.env
    return describePlanInUse(granted ?? { nodes, clusters }, await this.repository.countUsed(userId))
  }

  async set(userId: string, given: PlanFigures): Promise<UserPlanReply> {
    return describePlan(await this.repository.set(userId, this.quotasOf(given)))
  }

  private quotasOf(given: PlanFigures) {
    return { ...given, startsAt: this.clock.now(), expiresAt: new Date(given.expiresAt) }
  }
}
