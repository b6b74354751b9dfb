import type { Organization as DescribedOrganization, Role } from '@trestle/contracts/accounts/organizations'
import { Problem } from '@trestle/problem/problem'

/** Who may do what in an organization; any member may look. */
const MAY = {
  rename: ['owner', 'admin'],
  dissolve: ['owner'],
  invite: ['owner', 'admin'],
  changeRoles: ['owner', 'admin'],
  removeMember: ['owner', 'admin'],
  makeOwner: ['owner'],
} as const satisfies Record<string, readonly Role[]>
export type Action = keyof typeof MAY

export interface Organization {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}

/** An organization as one of its members sees it. */
export interface OwnOrganization extends Organization {
  readonly roles: readonly Role[]
}

export interface Seat {
  readonly userId: string
  readonly roles: readonly Role[]
}

/** The seat of a user; to everybody else an organization does not exist. */
export function seatOf<S extends Seat>(userId: string, members: readonly S[]): S {
  const seat = members.find((member) => member.userId === userId)
  if (!seat) throw unknownOrganization()
  return seat
}

/** Problem `MissingRole` unless one of the roles allows the action. */
export function requireRole(roles: readonly Role[], action: Action): void {
  const allowed: readonly Role[] = MAY[action]
  if (!roles.some((role) => allowed.includes(role)))
    throw new Problem('forbidden', 'MissingRole', `Only a member with the role ${allowed.join(' or ')} may do this.`)
}

/** An invitation may give what the inviter could give to a member. */
export function checkInvite(actor: Seat, roles: readonly Role[]): void {
  requireRole(actor.roles, 'invite')
  if (roles.includes('owner')) requireRole(actor.roles, 'makeOwner')
}

/** The roles of a member, changed: only owners make and unmake owners, and one always stays. */
export function checkRoleChange(members: readonly Seat[], actor: Seat, target: Seat, roles: readonly Role[]): void {
  requireRole(actor.roles, 'changeRoles')
  if (isOwner(target.roles) !== isOwner(roles)) requireRole(actor.roles, 'makeOwner')
  requireOwnerIn([...others(members, target), { ...target, roles }])
}

/** A member removed, or leaving by itself, which needs no role. */
export function checkRemoval(members: readonly Seat[], actor: Seat, target: Seat): void {
  if (actor.userId !== target.userId) {
    requireRole(actor.roles, 'removeMember')
    if (isOwner(target.roles)) requireRole(actor.roles, 'makeOwner')
  }
  requireOwnerIn(others(members, target))
}

/** Only an organization without anybody else is dissolved. */
export function checkDissolution(members: readonly Seat[], actor: Seat): void {
  requireRole(actor.roles, 'dissolve')
  if (others(members, actor).length > 0) throw new Problem('conflict', 'HasMembers', 'Others are in the organization; remove them first.')
}

export function describeOrganization({ id, name, createdAt, roles }: OwnOrganization): DescribedOrganization {
  return { id, name, roles: [...roles], createdAt: createdAt.toISOString() }
}

export function unknownOrganization(): Problem {
  return new Problem('unknown', 'UnknownOrganization', 'You are in no organization of this id.')
}

export function unknownMember(): Problem {
  return new Problem('unknown', 'UnknownMember', 'The organization has no member of this id.')
}

export function alreadyMember(): Problem {
  return new Problem('conflict', 'AlreadyMember', 'You are in an organization already; leave it first.')
}

function requireOwnerIn(members: readonly Seat[]): void {
  if (!members.some(({ roles }) => isOwner(roles)))
    throw new Problem('conflict', 'LastOwner', 'The organization would have no owner; make somebody else one first, or dissolve it.')
}

function isOwner(roles: readonly Role[]): boolean {
  return roles.includes('owner')
}

function others(members: readonly Seat[], { userId }: Seat): Seat[] {
  return members.filter((member) => member.userId !== userId)
}
