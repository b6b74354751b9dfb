import { z } from 'zod'
import { OrganizationId } from '../accounts/organizations.js'
import { UserId } from '../accounts/users.js'
import { can, endpoint } from '../endpoint.js'
import { idOf, TimeInput, Timestamp } from '../fields.js'

const limits = { nodes: z.int().min(0).max(1_000_000), clusters: z.int().min(0).max(1_000_000) }

export const UserPlan = z
  .object({ id: idOf('user-plan'), plan: idOf('plan'), ...limits, startsAt: Timestamp, expiresAt: Timestamp })
  .meta({ id: 'UserPlan', description: 'The number of nodes and clusters a user may have, and until when.' })
export type UserPlan = z.infer<typeof UserPlan>

export const PlanInUse = z
  .object({
    ...limits,
    startsAt: Timestamp.nullable().meta({ description: 'Null: it starts with the first node or cluster.' }),
    expiresAt: Timestamp.nullable(),
    used: z.object({ nodes: z.int(), clusters: z.int() }).meta({ description: 'Existing nodes and clusters, without removed ones.' }),
  })
  .meta({ id: 'PlanInUse' })
export type PlanInUse = z.infer<typeof PlanInUse>

export const PlanChange = z.object({ ...limits, expiresAt: TimeInput }).meta({ id: 'PlanChange' })

export const plans = {
  mine: endpoint({
    method: 'GET',
    path: '/users/me/plan',
    summary: 'The plan that counts for you: of the organization if it was granted one, or else yours.',
    access: can('nodes:read'),
    status: 200,
    reply: UserPlan,
  }),
  get: endpoint({
    method: 'GET',
    path: '/users/{userId}/plan',
    summary: "A user's plan and what is used of it.",
    access: 'manager',
    params: z.object({ userId: UserId }),
    status: 200,
    reply: PlanInUse,
  }),
  getOfOrganization: endpoint({
    method: 'GET',
    path: '/organizations/{organizationId}/plan',
    summary: 'The plan that was granted to an organization, and what is used of it; zeros: none, its members use their own.',
    access: 'manager',
    params: z.object({ organizationId: OrganizationId }),
    status: 200,
    reply: PlanInUse,
  }),
  setOfOrganization: endpoint({
    method: 'PUT',
    path: '/organizations/{organizationId}/plan',
    summary: 'Grant an organization a plan. Its members do not use their own there any more.',
    access: 'manager',
    params: z.object({ organizationId: OrganizationId }),
    body: PlanChange,
    status: 200,
    reply: UserPlan,
  }),
  set: endpoint({
    method: 'PUT',
    path: '/users/{userId}/plan',
    summary: "Set a user's plan.",
    access: 'manager',
    params: z.object({ userId: UserId }),
    body: PlanChange,
    status: 200,
    reply: UserPlan,
  }),
}
