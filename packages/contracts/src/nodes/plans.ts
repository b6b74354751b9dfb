import { z } from 'zod'
import { UserId } from '../accounts/users.js'
import { endpoint } from '../endpoint.js'
import { idOf, Timestamp } from '../fields.js'

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

export const PlanChange = z.object({ ...limits, expiresAt: Timestamp }).meta({ id: 'PlanChange' })

export const plans = {
  mine: endpoint({
    method: 'GET',
    path: '/users/me/plan',
    summary: 'Your plan: the number of nodes and clusters you may have.',
    access: 'client',
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
