import type { PlanInUse, UserPlan as UserPlanReply } from '@trestle/contracts/nodes/plans'
import { personalOrganizationOf } from '@trestle/contracts/permissions'

/** Whose plan counts: that of the organization if it was granted one, or else that of the user who creates or created. */
export interface PlanHolder {
  readonly organizationId: string
  readonly userId: string
}

/** Whether the organization is the user's own, which has the user's plan. */
export function isPersonal({ organizationId, userId }: PlanHolder): boolean {
  return organizationId === personalOrganizationOf(userId)
}

/** How many nodes and clusters a user, or an organization, may have, and until when. */
export interface GrantedPlan {
  readonly id: string
  readonly nodes: number
  readonly clusters: number
  readonly startsAt: Date
  readonly expiresAt: Date
}

/** How many a user has. */
export type PlanUse = Pick<GrantedPlan, 'nodes' | 'clusters'>

/** There is one plan; each user has their own numbers in it. */
const PLAN_ID = 'plan-6f1c1b9e-3f0e-4c53-9d5c-0d9b6f6a1c01'

/** When a workload with this TTL in seconds expires: never after its owner's plan. */
export function expiryOf({ expiresAt }: Pick<GrantedPlan, 'expiresAt'>, ttl: number | undefined, now: Date): Date {
  return ttl === undefined ? expiresAt : new Date(Math.min(now.getTime() + ttl * 1000, expiresAt.getTime()))
}

export function planData({ id, startsAt, expiresAt }: GrantedPlan) {
  return { id, plan: PLAN_ID, startsAt: startsAt.toISOString(), expiresAt: expiresAt.toISOString() }
}

export function describePlan(plan: GrantedPlan): UserPlanReply {
  return { ...planData(plan), nodes: plan.nodes, clusters: plan.clusters }
}

export function describePlanInUse({ nodes, clusters, startsAt, expiresAt }: PlanUse & Partial<GrantedPlan>, used: PlanUse): PlanInUse {
  return { nodes, clusters, startsAt: startsAt?.toISOString() ?? null, expiresAt: expiresAt?.toISOString() ?? null, used }
}
