import type { DeletionEffect } from '@trestle/contracts/accounts/messages'
import type { Organization as DescribedOrganization } from '@trestle/contracts/accounts/organizations'
import { type Permission, personalOrganizationOf, ROLE_PERMISSIONS } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'
import { mayGrant, permissionsOfRoles, type RoleDefinitions } from '../memberships/role.js'

const MAX_MEMBERS = 1000

export interface OrganizationRecord {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}

/** An organization, with the roles of the member who asks and what they permit. */
export interface OwnOrganization extends OrganizationRecord {
  readonly roles: readonly string[]
  readonly permissions: ReadonlySet<Permission>
}

export interface Seat {
  readonly userId: string
  readonly roles: readonly string[]
  /** It is no person. */
  readonly serviceAccount?: boolean
}

export interface MemberRecord extends Seat {
  readonly email: string
  readonly displayName: string
  readonly joinedAt: Date
  /** It is no person. */
  readonly serviceAccount: boolean
}

/** The members of an organization and what its roles permit. */
export interface Roster<S extends Seat = Seat> {
  readonly members: readonly S[]
  readonly definitions: RoleDefinitions
}

/** The seat of a user; for anybody else the organization does not exist. */
export function seatOf<S extends Seat>(userId: string, { members }: Roster<S>): S {
  const seat = members.find((member) => member.userId === userId)
  if (!seat) throw unknownOrganization()
  return seat
}

/** Problem `MissingRole` unless one of the roles permits it. */
export function requirePermission({ roles }: Seat, permission: Permission, { definitions }: Roster): void {
  if (!permissionsOfRoles(roles, definitions).has(permission)) throw missingRole(`the permission ${permission}`)
}

/** Nobody gives what they do not have, and only owners make owners. */
export function checkGrant(actor: Seat, roles: readonly string[], { definitions }: Roster): void {
  const unknown = roles.find((role) => !definitions.has(role))
  if (unknown !== undefined) throw unknownRole(unknown)
  requireCovers(actor, [...permissionsOfRoles(roles, definitions)], definitions)
  if (isOwner(roles)) requireOwner(actor)
}

/** Problem `MissingRole` unless the actor may give others all of these permissions, and so take them away. */
export function requireCovers({ roles }: Seat, permissions: readonly Permission[], definitions: RoleDefinitions): void {
  const held = permissionsOfRoles(roles, definitions)
  const missing = permissions.find((permission) => !mayGrant(held, permission))
  if (missing) throw missingRole(`the permission ${missing}`)
}

/** Nobody gives or takes away what they do not have, and one owner always remains. */
export function checkRoleChange(roster: Roster, actor: Seat, target: Seat, roles: readonly string[]): void {
  requirePermission(actor, 'members:write', roster)
  checkGrant(actor, roles, roster)
  requireAbove(actor, target, roster)
  if (target.serviceAccount) requirePerson(roles)
  requireOwnerIn([...others(roster, target), { ...target, roles }])
}

/** Removing another member needs a permission, leaving does not. */
export function checkRemoval(roster: Roster, actor: Seat, target: Seat): void {
  if (actor.userId !== target.userId) {
    requirePermission(actor, 'members:write', roster)
    requireAbove(actor, target, roster)
  }
  requireOwnerIn(others(roster, target))
}

/** The roles of a seat once an identity provider grants others than before, and those that it has by the provider alone. One owner always remains. */
export function regranted(
  roster: Roster,
  seat: Seat,
  { before, granted }: { before: readonly string[]; granted: readonly string[] },
): { roles: readonly string[]; byProvider: readonly string[] } {
  const byHand = seat.roles.filter((role) => !before.includes(role))
  const byProvider = granted.filter((role) => !byHand.includes(role))
  const roles = [...byHand, ...byProvider]
  const isLastOwner = isOwner(seat.roles) && !isOwner(roles) && !others(roster, seat).some((other) => isOwner(other.roles))
  return isLastOwner ? { roles: ['owner', ...roles], byProvider: ['owner', ...byProvider] } : { roles, byProvider }
}

/** An organization with other members cannot be dissolved; its service accounts end with it. */
export function checkDissolution(roster: Roster, actor: Seat): void {
  requirePermission(actor, 'organization:delete', roster)
  if (others(roster, actor).some(({ serviceAccount }) => !serviceAccount))
    throw new Problem('conflict', 'HasMembers', 'The organization has other members; remove them first.')
}

/** Whether an organization that exists admits another member. */
export function hasRoom({ members }: Roster): boolean {
  return members.length > 0 && members.length < MAX_MEMBERS
}

export function requireRoomFor(members: number): void {
  if (members >= MAX_MEMBERS) throw new Problem('conflict', 'LimitExceeded', `An organization has at most ${MAX_MEMBERS} members.`)
}

export function describeOrganization({ id, name, createdAt, roles, permissions }: OwnOrganization): DescribedOrganization {
  return { id, name, roles: [...roles], permissions: [...permissions], createdAt: createdAt.toISOString() }
}

/** The organization that a user has alone is not stored: everything about it follows from the user. */
export function describePersonal(user: { id: string; displayName: string; createdAt: Date }): DescribedOrganization {
  const { displayName: name, createdAt } = user
  const permissions = new Set(ROLE_PERMISSIONS.owner)
  const described = describeOrganization({ id: personalOrganizationOf(user.id), name, createdAt, roles: ['owner'], permissions })
  return { ...described, personal: true }
}

/** Problem `PersonalOrganization` where it is the one that the user has alone. */
export function requireShared(userId: string, id: string): void {
  if (id === personalOrganizationOf(userId))
    throw new Problem(
      'conflict',
      'PersonalOrganization',
      'This is your personal organization: it has no other members, no roles and no invitations, and it cannot be renamed or dissolved.',
    )
}

/** What becomes of an organization that one of its members leaves by deleting the account. */
export function departureOf(seat: Seat, roster: Roster): DeletionEffect {
  const remaining = others(roster, seat).filter(({ serviceAccount }) => !serviceAccount)
  if (remaining.length === 0) return 'deleted'
  return remaining.some(({ roles }) => isOwner(roles)) ? 'kept' : 'blocks'
}

function unknownOrganization(): Problem {
  return new Problem('unknown', 'UnknownOrganization', 'You are not a member of an organization with this id.')
}

export function unknownMember(): Problem {
  return new Problem('unknown', 'UnknownMember', 'The organization has no member with this id.')
}

/** Problem `MissingRole` for who is no owner. */
export function requireOwner({ roles }: Seat): void {
  if (!isOwner(roles)) throw missingRole('the role owner')
}

/** An organization without a person who owns it could not be changed any more. */
export function requirePerson(roles: readonly string[]): void {
  if (isOwner(roles)) throw new Problem('conflict', 'OwnerMustBePerson', 'A service account cannot be an owner.')
}

function unknownRole(role: string): Problem {
  return new Problem('invalid', 'UnknownRole', `The organization has no role ${role}.`)
}

function missingRole(what: string): Problem {
  return new Problem('forbidden', 'MissingRole', `Only a member with ${what} may do this.`)
}

/** Only owners touch owners, and nobody touches a member who may do more than they. */
function requireAbove(actor: Seat, target: Seat, { definitions }: Roster): void {
  if (isOwner(target.roles)) requireOwner(actor)
  requireCovers(actor, [...permissionsOfRoles(target.roles, definitions)], definitions)
}

export function lastOwner(): Problem {
  return new Problem('conflict', 'LastOwner', 'The organization would have no owner; make another member an owner first, or dissolve it.')
}

function requireOwnerIn(members: readonly Seat[]): void {
  if (!members.some(({ roles }) => isOwner(roles))) throw lastOwner()
}

function isOwner(roles: readonly string[]): boolean {
  return roles.includes('owner')
}

function others({ members }: Roster, { userId }: Seat): Seat[] {
  return members.filter((member) => member.userId !== userId)
}
