import { z } from 'zod'
import { canInPath, endpoint } from '../endpoint.js'
import { Timestamp } from '../fields.js'
import { MemberRoles } from './organizations.js'
import { UserId } from './users.js'

const ServiceAccount = z
  .object({ id: UserId, name: z.string(), roles: MemberRoles, createdAt: Timestamp })
  .meta({ id: 'ServiceAccount', description: 'A member of an organization that is no person: it has client keys and cannot sign in.' })
export type ServiceAccount = z.infer<typeof ServiceAccount>

const Id = z.object({ id: z.string().max(100) })

export const serviceAccounts = {
  create: endpoint({
    method: 'POST',
    path: '/organizations/{id}/service-accounts',
    stepUp: true,
    approval: 'members:write',
    creates: true,
    summary: 'Create a service account, with roles that permit no more than yours. Create keys for it by `serviceAccountId`.',
    access: canInPath('keys:write'),
    audit: 'organization-changed',
    params: Id,
    body: z.object({ name: z.string().trim().min(1).max(100), roles: MemberRoles }).meta({ id: 'NewServiceAccount' }),
    status: 201,
    reply: ServiceAccount,
    problems: [
      'UnknownOrganization',
      'PersonalOrganization',
      'UnknownRole',
      'MissingRole',
      'OwnerMustBePerson',
      'LimitExceeded',
      'TooManyRequests',
    ],
  }),
  list: endpoint({
    method: 'GET',
    path: '/organizations/{id}/service-accounts',
    summary: 'The service accounts of an organization.',
    access: canInPath('keys:read'),
    params: Id,
    status: 200,
    reply: z.array(ServiceAccount),
    problems: ['UnknownOrganization', 'PersonalOrganization', 'MissingRole'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/organizations/{id}/service-accounts/{userId}',
    summary: 'Delete a service account and its keys.',
    access: canInPath('keys:write'),
    audit: 'organization-changed',
    params: Id.extend({ userId: z.string().max(100) }),
    status: 204,
    problems: ['UnknownOrganization', 'PersonalOrganization', 'UnknownServiceAccount', 'MissingRole'],
  }),
}
