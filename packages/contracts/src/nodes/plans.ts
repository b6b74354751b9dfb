import { z } from 'zod'
import { UserId } from '../accounts/users.js'
import { endpoint } from '../endpoint.js'
import { idOf, Timestamp } from '../fields.js'

const limits = { nodes: z.int().min(0).max(1_000_000), clusters: z.int().min(0).max(1_000_000) }

export const UserPlan = z
  .object({ id: idOf('user-plan'), plan: idOf('plan'), ...limits, startsAt: Timestamp, expiresAt: Timestamp })
  .meta({ id: 'UserPlan', description: 'How many nodes and clusters somebody may have, and until when.' })
export type UserPlan = z.infer<typeof UserPlan>

export const PlanInUse = z
  .object({
    ...limits,
    startsAt: Timestamp.nullable().meta({ description: 'Null: it begins when its owner first asks for something, with these figures.' }),
    expiresAt: Timestamp.nullable(),
    used: z.object({ nodes: z.int(), clusters: z.int() }).meta({ description: 'What there is of each that was not removed.' }),
  })
  .meta({ id: 'PlanInUse' })
export type PlanInUse = z.infer<typeof PlanInUse>

export const PlanChange = z.object({ ...limits, expiresAt: Timestamp }).meta({ id: 'PlanChange' })

export const plans = {
  mine: endpoint({
    method: 'GET',
    path: '/users/me/plan',
    summary: 'How many nodes and clusters you may have.',
    access: 'client',
    status: 200,
    reply: UserPlan,
  }),
  get: endpoint({
    method: 'GET',
    path: '/users/{userId}/plan',
    summary: 'How many nodes and clusters somebody may have, and has.',
    access: 'manager',
    params: z.object({ userId: UserId }),
    status: 200,
    reply: PlanInUse,
  }),
  set: endpoint({
    method: 'PUT',
    path: '/users/{userId}/plan',
    summary: 'Say how many nodes and clusters somebody may have.',
    access: 'manager',
    params: z.object({ userId: UserId }),
    body: PlanChange,
    status: 200,
    reply: UserPlan,
  }),
}
