import { z } from 'zod'
import { UserId } from '../accounts/users.js'
import { endpoint } from '../endpoint.js'
import { Timestamp } from '../fields.js'
import { MethodNamespaces, PerDay, PerSecond } from './projects.js'

export const LimitGrant = z
  .object({
    perSecond: PerSecond,
    perDay: PerDay,
    namespaces: MethodNamespaces.optional().meta({
      description: 'Namespaces of methods, such as debug, that the owner may allow to projects. Left out: as before.',
    }),
  })
  .meta({ id: 'LimitGrant', description: 'In compute units. A day starts at 00:00 UTC.' })

export type LimitGrant = z.output<typeof LimitGrant>

export const MaxLimits = z
  .object({
    perSecond: z.int(),
    perDay: z.int(),
    namespaces: z
      .array(z.string())
      .optional()
      .meta({ description: 'Namespaces of methods that the owner may allow to projects. Left out: none.' }),
    grantedAt: Timestamp.optional().meta({ description: 'Left out: nothing was granted, so the maximum of the platform applies.' }),
  })
  .meta({ id: 'MaxLimits', description: 'The highest limits, in compute units, that an owner may set for each project.' })
export type MaxLimits = z.infer<typeof MaxLimits>

const params = z.object({ userId: UserId })

export const limits = {
  mine: endpoint({
    method: 'GET',
    path: '/users/me/limits',
    summary: 'The highest limits that you may set for a project.',
    access: 'client',
    status: 200,
    reply: MaxLimits,
  }),
  get: endpoint({
    method: 'GET',
    path: '/users/{userId}/limits',
    summary: 'The highest limits that a user may set for a project.',
    access: 'manager',
    params,
    status: 200,
    reply: MaxLimits,
  }),
  grant: endpoint({
    method: 'PUT',
    path: '/users/{userId}/limits',
    summary: "Grant a user other limits than the platform's. Projects with higher limits are lowered to them within 2 seconds.",
    access: 'manager',
    params,
    body: LimitGrant,
    status: 200,
    reply: MaxLimits,
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/users/{userId}/limits',
    summary: "Revoke what was granted. Projects with higher limits than the platform's maximum are lowered to it within 2 seconds.",
    access: 'manager',
    params,
    status: 200,
    reply: MaxLimits,
  }),
}
