import { z } from 'zod'
import { canInPath, endpoint } from '../endpoint.js'
import { idOf, Timestamp } from '../fields.js'
import { Permission, ROLE_PERMISSIONS } from '../permissions.js'
import { EmailInput, UserId } from './users.js'

export const OrganizationId = idOf('org')
/** The roles that every organization has. */
export const ROLES = Object.keys(ROLE_PERMISSIONS) as readonly (keyof typeof ROLE_PERMISSIONS)[]
export type Role = (typeof ROLES)[number]
const MAX_ROLES = 10

/** One of `ROLES`, or a role of the organization's own. */
const RoleName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens, at most 40')
export const MemberRoles = z
  .array(RoleName)
  .min(1)
  .max(MAX_ROLES)
  .refine((roles) => new Set(roles).size === roles.length, 'must not repeat a role')
const Permissions = z.array(Permission).max(Permission.options.length)
const Name = z.string().trim().min(1).max(100)

export const Organization = z
  .object({
    id: OrganizationId,
    name: z.string(),
    roles: MemberRoles,
    /** What the caller may do in it. */
    permissions: z.array(Permission),
    /** The organization that each user has alone. */
    personal: z.literal(true).optional(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Organization', description: "An organization, and the caller's roles and permissions in it." })
export type Organization = z.infer<typeof Organization>

export const Member = z
  .object({
    userId: UserId,
    email: z.string(),
    displayName: z.string(),
    roles: MemberRoles,
    joinedAt: Timestamp,
    serviceAccount: z.literal(true).optional(),
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

export const Invitation = z
  .object({ id: idOf('invitation'), email: z.string(), roles: MemberRoles, createdAt: Timestamp, expiresAt: Timestamp })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof Invitation>

export const RoleDefinition = z
  .object({ name: RoleName, permissions: z.array(Permission), custom: z.boolean() })
  .meta({ id: 'RoleDefinition', description: 'A role and what it permits; `custom`, if the organization has defined it.' })
export type RoleDefinition = z.infer<typeof RoleDefinition>

const Id = z.object({ id: z.string().max(100) })

export const organizations = {
  create: endpoint({
    method: 'POST',
    path: '/organizations',
    creates: true,
    summary: 'Create an organization; you become its owner.',
    access: 'account',
    audit: 'organization-changed',
    body: z.object({ name: Name }).meta({ id: 'NewOrganization' }),
    status: 201,
    reply: Organization,
    problems: ['LimitExceeded', 'UserDisabled', 'TooManyRequests'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/organizations',
    summary: 'The organizations you are a member of, your personal one last.',
    access: 'account',
    status: 200,
    reply: z.array(Organization),
  }),
  get: endpoint({
    method: 'GET',
    path: '/organizations/{id}',
    summary: 'One organization of yours.',
    access: canInPath('organization:read'),
    params: Id,
    status: 200,
    reply: Organization,
    problems: ['UnknownOrganization'],
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/organizations/{id}',
    summary: 'Rename it.',
    access: canInPath('organization:write'),
    audit: 'organization-changed',
    params: Id,
    body: z.object({ name: Name }).meta({ id: 'OrganizationChange' }),
    status: 200,
    reply: Organization,
    problems: ['UnknownOrganization', 'PersonalOrganization', 'MissingRole'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/organizations/{id}',
    stepUp: true,
    summary: 'Dissolve it, once no other members are left. What it owned goes to the personal organization of its last member.',
    access: canInPath('organization:delete'),
    audit: 'organization-changed',
    params: Id,
    status: 204,
    problems: ['UnknownOrganization', 'PersonalOrganization', 'MissingRole', 'HasMembers'],
  }),
  members: endpoint({
    method: 'GET',
    path: '/organizations/{id}/members',
    summary: 'Its members.',
    access: canInPath('organization:read'),
    params: Id,
    status: 200,
    reply: z.array(Member),
    problems: ['UnknownOrganization'],
  }),
  changeRoles: endpoint({
    method: 'PUT',
    path: '/organizations/{id}/members/{userId}',
    stepUp: true,
    summary: "Set a member's roles. Nobody gives or takes what they may not do themselves; only an owner adds or removes owners.",
    access: canInPath('members:write'),
    audit: 'role-changed',
    params: Id.extend({ userId: z.string().max(100) }),
    body: z.object({ roles: MemberRoles }).meta({ id: 'MemberRoles' }),
    status: 200,
    reply: Member,
    problems: [
      'UnknownOrganization',
      'PersonalOrganization',
      'UnknownMember',
      'UnknownRole',
      'MissingRole',
      'LastOwner',
      'OwnerMustBePerson',
    ],
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/organizations/{id}/members/{userId}',
    stepUp: true,
    summary: 'Remove a member; or leave the organization, which needs no permission.',
    access: canInPath('members:write'),
    audit: 'member-left',
    params: Id.extend({ userId: z.string().max(100) }),
    status: 204,
    problems: ['UnknownOrganization', 'PersonalOrganization', 'UnknownMember', 'MissingRole', 'LastOwner'],
  }),
  invite: endpoint({
    method: 'POST',
    path: '/organizations/{id}/invitations',
    stepUp: true,
    creates: true,
    summary: 'Invite somebody by e-mail. The mail contains a token that is valid for 72 hours.',
    access: canInPath('members:write'),
    audit: 'member-invited',
    params: Id,
    body: z.object({ email: EmailInput, roles: MemberRoles }).meta({ id: 'NewInvitation' }),
    status: 201,
    reply: Invitation,
    problems: [
      'UnknownOrganization',
      'PersonalOrganization',
      'UnknownRole',
      'MissingRole',
      'InvalidEmail',
      'LimitExceeded',
      'TooManyRequests',
    ],
  }),
  invitations: endpoint({
    method: 'GET',
    path: '/organizations/{id}/invitations',
    summary: 'Pending invitations.',
    access: canInPath('members:write'),
    params: Id,
    status: 200,
    reply: z.array(Invitation),
    problems: ['UnknownOrganization', 'PersonalOrganization', 'MissingRole'],
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/organizations/{id}/invitations/{invitationId}',
    summary: 'Withdraw an invitation.',
    access: canInPath('members:write'),
    params: Id.extend({ invitationId: z.string().max(100) }),
    status: 204,
    problems: ['UnknownOrganization', 'PersonalOrganization', 'UnknownInvitation', 'MissingRole'],
  }),
  roles: endpoint({
    method: 'GET',
    path: '/organizations/{id}/roles',
    summary: 'Its roles: those that every organization has, and its own.',
    access: canInPath('organization:read'),
    params: Id,
    status: 200,
    reply: z.array(RoleDefinition),
    problems: ['UnknownOrganization'],
  }),
  role: endpoint({
    method: 'GET',
    path: '/organizations/{id}/roles/{name}',
    summary: 'One of its roles.',
    access: canInPath('organization:read'),
    params: Id.extend({ name: z.string().max(100) }),
    status: 200,
    reply: RoleDefinition,
    problems: ['UnknownOrganization', 'UnknownRole'],
  }),
  setRole: endpoint({
    method: 'PUT',
    path: '/organizations/{id}/roles/{name}',
    stepUp: true,
    approval: 'members:write',
    creates: true,
    summary: 'Define a role of its own, or change what it permits: at once for everybody who has it. Every role may see the organization.',
    access: canInPath('organization:write'),
    audit: 'organization-changed',
    params: Id.extend({ name: RoleName }),
    body: z.object({ permissions: Permissions }).meta({ id: 'RolePermissions' }),
    status: 200,
    reply: RoleDefinition,
    problems: ['UnknownOrganization', 'PersonalOrganization', 'BuiltInRole', 'MissingRole', 'LimitExceeded'],
  }),
  removeRole: endpoint({
    method: 'DELETE',
    path: '/organizations/{id}/roles/{name}',
    stepUp: true,
    approval: 'members:write',
    summary: 'Delete a role of its own that nobody has and no open invitation gives.',
    access: canInPath('organization:write'),
    audit: 'organization-changed',
    params: Id.extend({ name: z.string().max(100) }),
    status: 204,
    problems: ['UnknownOrganization', 'PersonalOrganization', 'BuiltInRole', 'UnknownRole', 'MissingRole', 'RoleInUse'],
  }),
  accept: endpoint({
    method: 'PUT',
    path: '/invitations/{token}',
    summary: 'Accept an invitation that was sent to your e-mail address.',
    access: 'account',
    audit: 'member-joined',
    params: z.object({ token: z.string().max(100) }),
    status: 200,
    reply: Organization,
    problems: ['InvalidInvitation', 'WrongRecipient', 'AlreadyMember', 'LimitExceeded', 'UserDisabled'],
  }),
}
