import { z } from 'zod'
import { canInPath, endpoint } from '../endpoint.js'
import { APPROVABLE_PERMISSIONS } from '../permissions.js'

export const OrganizationPolicy = z
  .object({
    requireSecondFactor: z
      .boolean()
      .meta({ description: 'Nobody acts in the organization in person without having proven a second factor.' }),
    approvals: z
      .array(z.enum(APPROVABLE_PERMISSIONS))
      .max(APPROVABLE_PERMISSIONS.length)
      .meta({ description: 'What needs the approval of a second person. With any of them, `members:write` does too.' }),
  })
  .meta({ id: 'OrganizationPolicy', description: 'What an organization demands of its members.' })
export type OrganizationPolicy = z.infer<typeof OrganizationPolicy>

const Id = z.object({ id: z.string().max(100) })

export const policies = {
  get: endpoint({
    method: 'GET',
    path: '/organizations/{id}/policy',
    summary: 'What the organization demands of its members.',
    access: canInPath('organization:read'),
    params: Id,
    status: 200,
    reply: OrganizationPolicy,
    problems: ['UnknownOrganization', 'PersonalOrganization'],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/organizations/{id}/policy',
    stepUp: true,
    approval: 'members:write',
    summary:
      'Set it; only an owner may. Whoever demands a second factor has one, and what needs approval can be approved: two people have the permission.',
    access: canInPath('organization:write'),
    audit: 'organization-policy-changed',
    params: Id,
    body: OrganizationPolicy,
    status: 200,
    reply: OrganizationPolicy,
    problems: ['UnknownOrganization', 'PersonalOrganization', 'MissingRole', 'FactorRequired', 'TooFewApprovers'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/organizations/{id}/policy',
    stepUp: true,
    summary: 'Administrators: demand nothing of the members any more, where nobody is left who could approve it.',
    access: 'manager',
    audit: 'organization-policy-changed',
    params: Id,
    status: 204,
    problems: ['UnknownOrganization'],
  }),
}
