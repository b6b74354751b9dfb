import type { Organization as DescribedOrganization, Role } from '@trestle/contracts/accounts/organizations'
import { Problem } from '@trestle/problem/problem'

/** The roles that allow each action; every member may read. */
const ALLOWED_ROLES = {
  rename: ['owner', 'admin'],
  dissolve: ['owner'],
  invite: ['owner', 'admin'],
  changeRoles: ['owner', 'admin'],
  removeMember: ['owner', 'admin'],
  makeOwner: ['owner'],
} as const satisfies Record<string, readonly Role[]>
type Action = keyof typeof ALLOWED_ROLES

export interface OrganizationRecord {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}

/** An organization, with the roles of the member who asks. */
export interface OwnOrganization extends OrganizationRecord {
  readonly roles: readonly Role[]
}

export interface Seat {
  readonly userId: string
  readonly roles: readonly Role[]
}

/** The seat of a user; for anybody else the organization does not exist. */
export function seatOf<S extends Seat>(userId: string, members: readonly S[]): S {
  const seat = members.find((member) => member.userId === userId)
  if (!seat) throw unknownOrganization()
  return seat
}

/** Problem `MissingRole` unless one of the roles allows the action. */
export function requireRole(roles: readonly Role[], action: Action): void {
  const allowed: readonly Role[] = ALLOWED_ROLES[action]
  if (!roles.some((role) => allowed.includes(role)))
    throw new Problem('forbidden', 'MissingRole', `Only a member with the role ${allowed.join(' or ')} may do this.`)
}

/** An invitation may grant what the inviter could grant to a member. */
export function checkInvite(actor: Seat, roles: readonly Role[]): void {
  requireRole(actor.roles, 'invite')
  if (roles.includes('owner')) requireRole(actor.roles, 'makeOwner')
}

/** Only owners grant and revoke the role of owner, and one owner always remains. */
export function checkRoleChange(members: readonly Seat[], actor: Seat, target: Seat, roles: readonly Role[]): void {
  requireRole(actor.roles, 'changeRoles')
  if (isOwner(target.roles) !== isOwner(roles)) requireRole(actor.roles, 'makeOwner')
  requireOwnerIn([...others(members, target), { ...target, roles }])
}

/** Removing another member needs a role, leaving does not. */
export function checkRemoval(members: readonly Seat[], actor: Seat, target: Seat): void {
  if (actor.userId !== target.userId) {
    requireRole(actor.roles, 'removeMember')
    if (isOwner(target.roles)) requireRole(actor.roles, 'makeOwner')
  }
  requireOwnerIn(others(members, target))
}

/** An organization with other members cannot be dissolved. */
export function checkDissolution(members: readonly Seat[], actor: Seat): void {
  requireRole(actor.roles, 'dissolve')
  if (others(members, actor).length > 0)
    throw new Problem('conflict', 'HasMembers', 'The organization has other members; remove them first.')
}

export function describeOrganization({ id, name, createdAt, roles }: OwnOrganization): DescribedOrganization {
  return { id, name, roles: [...roles], createdAt: createdAt.toISOString() }
}

export function unknownOrganization(): Problem {
  return new Problem('unknown', 'UnknownOrganization', 'You are not a member of an organization with this id.')
}

export function unknownMember(): Problem {
  return new Problem('unknown', 'UnknownMember', 'The organization has no member with this id.')
}

export function alreadyMember(): Problem {
  return new Problem('conflict', 'AlreadyMember', 'You are already in an organization; leave it first.')
}

function requireOwnerIn(members: readonly Seat[]): void {
  if (!members.some(({ roles }) => isOwner(roles)))
    throw new Problem('conflict', 'LastOwner', 'The organization would have no owner; make another member an owner first, or dissolve it.')
}

function isOwner(roles: readonly Role[]): boolean {
  return roles.includes('owner')
}

function others(members: readonly Seat[], { userId }: Seat): Seat[] {
  return members.filter((member) => member.userId !== userId)
}
