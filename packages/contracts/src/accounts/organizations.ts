import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { idOf, Timestamp } from '../fields.js'
import { EmailInput, UserId } from './users.js'

export const OrganizationId = idOf('org')
export const ROLES = ['owner', 'admin', 'member', 'auditor', 'billing'] as const
export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>

const Roles = z
  .array(Role)
  .min(1)
  .max(ROLES.length)
  .refine((roles) => new Set(roles).size === roles.length, 'must not repeat a role')
const Name = z.string().trim().min(1).max(100)

export const Organization = z
  .object({ id: OrganizationId, name: z.string(), roles: Roles, createdAt: Timestamp })
  .meta({ id: 'Organization', description: "An organization and the caller's roles in it." })
export type Organization = z.infer<typeof Organization>

export const Member = z
  .object({ userId: UserId, email: z.string(), displayName: z.string(), roles: Roles, joinedAt: Timestamp })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

export const Invitation = z
  .object({ id: idOf('invitation'), email: z.string(), roles: Roles, createdAt: Timestamp, expiresAt: Timestamp })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof Invitation>

const Id = z.object({ id: z.string().max(100) })

export const organizations = {
  create: endpoint({
    method: 'POST',
    path: '/organizations',
    creates: true,
    summary: 'Create an organization; you become its owner. A user belongs to one organization at a time.',
    access: 'account',
    audit: 'organization-changed',
    body: z.object({ name: Name }).meta({ id: 'NewOrganization' }),
    status: 201,
    reply: Organization,
    problems: ['AlreadyMember', 'TooManyRequests'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/organizations',
    summary: 'The organizations you are a member of.',
    access: 'account',
    status: 200,
    reply: z.array(Organization),
  }),
  get: endpoint({
    method: 'GET',
    path: '/organizations/{id}',
    summary: 'One organization of yours.',
    access: 'account',
    params: Id,
    status: 200,
    reply: Organization,
    problems: ['UnknownOrganization'],
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/organizations/{id}',
    summary: 'Rename it (owner, admin).',
    access: 'account',
    audit: 'organization-changed',
    params: Id,
    body: z.object({ name: Name }).meta({ id: 'OrganizationChange' }),
    status: 200,
    reply: Organization,
    problems: ['UnknownOrganization', 'MissingRole'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/organizations/{id}',
    summary: 'Delete it (owner, once no other members are left).',
    access: 'account',
    audit: 'organization-changed',
    params: Id,
    status: 204,
    problems: ['UnknownOrganization', 'MissingRole', 'HasMembers'],
  }),
  members: endpoint({
    method: 'GET',
    path: '/organizations/{id}/members',
    summary: 'Its members.',
    access: 'account',
    params: Id,
    status: 200,
    reply: z.array(Member),
    problems: ['UnknownOrganization'],
  }),
  changeRoles: endpoint({
    method: 'PUT',
    path: '/organizations/{id}/members/{userId}',
    summary: "Set a member's roles (owner, admin; only an owner can add or remove owners).",
    access: 'account',
    audit: 'role-changed',
    params: Id.extend({ userId: z.string().max(100) }),
    body: z.object({ roles: Roles }).meta({ id: 'MemberRoles' }),
    status: 200,
    reply: Member,
    problems: ['UnknownOrganization', 'UnknownMember', 'MissingRole', 'LastOwner'],
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/organizations/{id}/members/{userId}',
    summary: 'Remove a member (owner, admin), or leave the organization.',
    access: 'account',
    audit: 'member-left',
    params: Id.extend({ userId: z.string().max(100) }),
    status: 204,
    problems: ['UnknownOrganization', 'UnknownMember', 'MissingRole', 'LastOwner'],
  }),
  invite: endpoint({
    method: 'POST',
    path: '/organizations/{id}/invitations',
    creates: true,
    summary: 'Invite somebody by e-mail (owner, admin). The mail contains a token that is valid for 72 hours.',
    access: 'account',
    audit: 'member-invited',
    params: Id,
    body: z.object({ email: EmailInput, roles: Roles }).meta({ id: 'NewInvitation' }),
    status: 201,
    reply: Invitation,
    problems: ['UnknownOrganization', 'MissingRole', 'InvalidEmail', 'LimitExceeded', 'TooManyRequests'],
  }),
  invitations: endpoint({
    method: 'GET',
    path: '/organizations/{id}/invitations',
    summary: 'Pending invitations (owner, admin).',
    access: 'account',
    params: Id,
    status: 200,
    reply: z.array(Invitation),
    problems: ['UnknownOrganization', 'MissingRole'],
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/organizations/{id}/invitations/{invitationId}',
    summary: 'Withdraw an invitation (owner, admin).',
    access: 'account',
    params: Id.extend({ invitationId: z.string().max(100) }),
    status: 204,
    problems: ['UnknownOrganization', 'UnknownInvitation', 'MissingRole'],
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
    problems: ['InvalidInvitation', 'WrongRecipient', 'AlreadyMember'],
  }),
}
